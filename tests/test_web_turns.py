"""Events to what the reader sees, without a browser."""

from __future__ import annotations

import threading

import pytest

from assistant.errors import QuestionError
from assistant.jobs import Job, Line
from assistant.types import (
    Cancellation,
    Cancelled,
    DraftGrew,
    EvidenceFound,
    Finished,
    Sentence,
    Status,
    Verdict,
)
from assistant.web import markup
from assistant.web.turns import Phase, Reference, Turn, opened
from store.types import AddReport, Paper, Rejected
from tests.web_desk import answer, cite, evidence, supported

BEE = Paper.of(
    "Bees dance. They find food in 87% of cases.", title="Bees", authors=("A", "B"), year=2020
)
ANT = Paper.of("Ants leave trails.", title="Ants & <i>trails</i>")
bee, ant = (
    evidence(1, BEE, "They find food in 87% of cases."),
    evidence(2, ANT, "Ants leave trails."),
)
DONE = answer(
    "Q?", supported("Food is found in 87%.", cite(bee)), sources=[bee, ant], standalone="Q of bees?"
)


def name(paper: Paper) -> str:
    return paper.title


def shown(turn: Turn) -> str:
    return markup.turn_article(turn, name)


def test_a_turn_walks_through_its_phases():
    turn = Turn(1, "Q?")
    phases = []
    for news in (2, 0, EvidenceFound("Q of bees?", (bee, ant)), DraftGrew("Food"), Finished(DONE)):
        turn = turn.after(news)
        phases.append(turn.phase)
    assert phases == [
        Phase.WAITING, Phase.SEARCHING, Phase.READING, Phase.DRAFTING, Phase.ANSWERED,
    ]  # fmt: skip
    assert turn.cited == {1}


def test_the_place_in_the_line_is_told():
    assert "2 questions are before yours" in shown(Turn(1, "Q?").after(2))


def test_a_rewritten_question_is_shown_and_an_unchanged_one_is_not():
    assert "Understood as: Q of bees?" in shown(Turn(1, "Q?").after(Finished(DONE)))
    assert "Understood" not in shown(Turn(1, "Q?").after(EvidenceFound("Q?", (bee,))))


def test_a_checked_answer_names_only_the_sources_it_rests_on():
    reading, done = (
        Turn(1, "Q?").after(EvidenceFound("Q?", (bee, ant))),
        Turn(1, "Q?").after(Finished(DONE)),
    )
    assert 'data-open="1.e2"' in shown(reading)
    assert 'data-open="1.e2"' not in shown(done)
    assert 'data-open="1.e1.0"' in shown(done)
    assert 'class="card unused"' in markup.sources(done, name)


def test_a_stopped_draft_never_looks_like_an_answer():
    turn = Turn(1, "Q?").after(DraftGrew("Half a")).stopped()
    assert "Stopped. Not checked" in shown(turn)
    assert 'class="answer"' not in shown(turn)
    assert 'aria-busy="false"' in shown(turn)


def test_a_failure_is_one_escaped_line_beside_the_draft():
    html = shown(Turn(1, "Q?").after(DraftGrew("Half")).failed("No <model>.\nGet one."))
    assert "No &lt;model&gt;. Get one." in html
    assert "Unfinished. Not checked" in html


@pytest.mark.parametrize(
    ("verdict", "note", "told"),
    [
        (Verdict.UNSUPPORTED, "", "not backed by a source"),
        (Verdict.MISATTRIBUTED, "", "said of another paper"),
        (Verdict.UNSUPPORTED, "a figure was left out", "a figure was left out"),
        (Verdict.SUPPORTED, "a figure was put right", "a figure was put right"),
    ],
)
def test_a_doubtful_sentence_says_so(verdict, note, told):
    doubtful = answer("Q?", Sentence("It is so.", (), verdict, 0.1, note), sources=[bee])
    html = shown(Turn(1, "Q?").after(Finished(doubtful)))
    assert f'class="sentence {verdict}"' in html
    assert told in html


def test_a_marker_without_its_source_is_left_out():
    lost = answer("Q?", supported("It is so.", cite(ant)), sources=[bee])
    assert 'class="cite"' not in shown(Turn(1, "Q?").after(Finished(lost)))


@pytest.mark.parametrize("status", [Status.NOT_STATED, Status.NOT_IN_LIBRARY])
def test_a_refusal_names_the_nearest_papers(status):
    refused = answer("Q?", status=status, nearest=[BEE, ANT])
    turn = Turn(1, "Q?").after(Finished(refused))
    assert 'class="refusal"' in shown(turn)
    assert "Ants &amp; &lt;i&gt;trails&lt;/i&gt;" in shown(turn)
    near = opened([turn], Reference(1, near=True, number=2))
    assert near
    assert near.paper == ANT


def test_a_citation_opens_its_own_sentence_and_a_source_its_chosen_ones():
    first, second = (
        Turn(1, "Q?").after(Finished(DONE)),
        Turn(2, "R?").after(EvidenceFound("R?", (ant,))),
    )
    cited = opened([first, second], Reference(1, near=False, number=1, sentence=0))
    assert cited
    assert [BEE.abstract[a:b] for a, b in cited.marks] == ["They find food in 87% of cases."]
    assert "<mark>They find food in 87% of cases.</mark>" in markup.paper_article(cited, name)
    other = opened([first, second], Reference(1, near=False, number=2, sentence=0))
    assert other
    assert [ANT.abstract[a:b] for a, b in other.marks] == ["Ants leave trails."]


@pytest.mark.parametrize(
    "text", ["", "1", "1.x2", "1.e2.3.4", "-1.e2", "1.e٣", "1.e9999999", "<b>"]
)
def test_a_reference_that_is_none_is_refused(text):
    assert Reference.parse(text) is None


@pytest.mark.parametrize("text", ["9.e1", "1.e9", "1.n1", "1.n9.9"])
def test_a_reference_to_nothing_opens_nothing(text):
    reference = Reference.parse(text)
    assert reference
    assert opened([Turn(1, "Q?").after(Finished(DONE))], reference) is None


def test_a_report_counts_what_happened_and_why():
    report = AddReport(
        9, added=2, unchanged=1, rejected=tuple(Rejected(f"f#{n}", "<bad>") for n in range(22))
    )
    html = markup.added(report)
    assert "2 added, 1 unchanged, 22 rejected." in html
    assert html.count("&lt;bad&gt;") == 20
    assert "and 2 more" in html
    assert "No papers found." in markup.added(AddReport(9))


def test_header_and_welcome_say_how_things_stand():
    assert "12,345 papers" in markup.header(12345, "")
    assert "1 paper<" in markup.header(1, "On its <way>.")
    assert "On its &lt;way&gt;." in markup.header(1, "On its <way>.")
    assert "The library is empty" in markup.welcome([], 0)
    assert 'data-ask="What does &quot;x&quot; do?"' in markup.welcome(['What does "x" do?'], 3)


def test_a_job_is_read_to_its_end_though_nobody_listens():
    ended = threading.Event()

    def events(cancel: Cancellation):
        yield DraftGrew("a")
        yield DraftGrew("a b")
        ended.set()

    Job(events, Line())
    assert ended.wait(5)


def test_news_skips_to_the_newest_draft():
    ended = threading.Event()

    def events(cancel: Cancellation):
        yield EvidenceFound("Q?", ())
        for text in ("a", "a b", "a b c"):
            yield DraftGrew(text)
        yield Finished(DONE)
        ended.set()

    job = Job(events, Line())
    assert ended.wait(5)
    assert list(job.news()) == [EvidenceFound("Q?", ()), DraftGrew("a b c"), Finished(DONE)]


def test_an_error_of_the_desk_reaches_the_listener_and_frees_the_line():
    def events(cancel: Cancellation):
        raise QuestionError("The question is empty.")
        yield

    line = Line()
    with pytest.raises(QuestionError):
        list(Job(events, line).news())
    assert list(Job(lambda cancel: iter([Finished(DONE)]), line).news()) == [Finished(DONE)]


def test_a_stop_is_felt_at_once_even_while_the_model_is_silent():
    silent, freed = threading.Event(), threading.Event()

    def events(cancel: Cancellation):
        assert silent.wait(10)
        freed.set()
        yield DraftGrew("too late")

    line = Line()
    job = Job(events, line)
    job.cancellation.cancel()
    with pytest.raises(Cancelled):
        list(job.news())
    silent.set()
    assert list(Job(lambda cancel: iter([Finished(DONE)]), line).news())[-1] == Finished(DONE)


def test_jobs_go_one_after_the_other_and_know_their_place():
    release = threading.Event()

    def slow(cancel: Cancellation):
        assert release.wait(10)
        yield Finished(DONE)

    line = Line()
    first, second = Job(slow, line), Job(slow, line)
    places = second.news()
    assert next(places) == 1
    release.set()
    assert list(places) == [0, Finished(DONE)]
    assert list(first.news()) == [Finished(DONE)]
