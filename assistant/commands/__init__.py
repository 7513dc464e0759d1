"""The commands, by what they are about; ``assistant.cli`` puts them together."""
