"""A speech server for Orca that prints what it would say, one JSON array a line: the time and the text."""

import json
import time

from orca.speechserver import SpeechServer as Base


class SpeechServer(Base):
    _server = None

    @staticmethod
    def getFactoryName():
        return "Printed lines"

    @staticmethod
    def getSpeechServers():
        return [SpeechServer.getSpeechServer()]

    @staticmethod
    def getSpeechServer(info=None):
        SpeechServer._server = SpeechServer._server or SpeechServer()
        return SpeechServer._server

    def getInfo(self):
        return ["Printed lines", "spoken"]

    def getVoiceFamilies(self):
        return []

    def speak(self, text=None, acss=None, interrupt=True):
        if text:
            say(text)

    def speakCharacter(self, character, acss=None):
        say(character)

    def speakKeyEvent(self, event, acss=None):
        say(event.getKeyName())

    def sayAll(self, utteranceIterator, progressCallback):
        for context, _ in utteranceIterator:
            say(context.utterance)


def say(text):
    print("spoken", json.dumps([time.time() * 1000, text]), flush=True)
