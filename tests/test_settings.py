from __future__ import annotations

import os
from pathlib import Path

import pytest

from assistant.errors import SettingsError
from assistant.settings import load, quiet_environment, table


def test_options_go_before_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("CITEWELL_PORT", "8000")
    assert load().port == 8000
    assert load(port=9000).port == 9000
    assert load(port=None, model="").port == 8000
    assert load(library=tmp_path).library == tmp_path


@pytest.mark.parametrize(
    ("variable", "value"),
    [("PORT", "many"), ("PORT", "0"), ("EVIDENCE_TOKENS", "-5"), ("THREADS", "1.5")],
)
def test_a_bad_value_is_one_line_that_names_it(monkeypatch, variable, value):
    monkeypatch.setenv(f"CITEWELL_{variable}", value)
    with pytest.raises(SettingsError, match=f"CITEWELL_{variable}={value}") as caught:
        load()
    assert "\n" not in str(caught.value)


def test_a_bad_option_is_named_as_an_option():
    with pytest.raises(SettingsError, match="--port"):
        load(port=70_000)


def test_the_document_lists_the_settings_as_they_are():
    text = (Path(__file__).parents[1] / "docs" / "settings.md").read_text(encoding="utf-8")
    assert table() in text


def test_no_library_may_phone_home(monkeypatch):
    for name in ("ANONYMIZED_TELEMETRY", "GRADIO_ANALYTICS_ENABLED", "HF_HUB_DISABLE_TELEMETRY"):
        monkeypatch.setenv(name, "yes please")
    quiet_environment()
    assert os.environ["ANONYMIZED_TELEMETRY"] == "False"
    assert os.environ["GRADIO_ANALYTICS_ENABLED"] == "False"
    assert os.environ["HF_HUB_DISABLE_TELEMETRY"] == "1"
