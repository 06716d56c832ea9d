"""Sponsorgate from Python, with the standard library only.

    SPONSORGATE_TOKEN=at_... python3 gate.py 100001
        plays the bot at the terminal: shows the sponsors of user 100001, waits for Enter, confirms, until the user is in

    WEBHOOK_SECRET=whsec_... python3 gate.py --receive 8090
        takes webhooks on that port, and prints those that are really from the service

For a bot of your own copy `call`, `get_sponsors`, `confirm_subscriptions` and `verify_webhook`.
"""

import base64
import binascii
import hashlib
import hmac
import http.server
import json
import os
import random
import sys
import time
import urllib.error
import urllib.request

URL = os.environ.get("SPONSORGATE_URL", "http://127.0.0.1:8080")
TOKEN = os.environ.get("SPONSORGATE_TOKEN", "")
ATTEMPTS = 3


class SponsorgateError(Exception):
    def __init__(self, status, code, message):
        super().__init__(f"{status} {code}: {message}")
        self.status = status
        self.code = code


def call(path, body):
    """Sends a request. Retries after 429, 5xx and a lost connection, because both calls below are safe to repeat."""
    request = urllib.request.Request(
        f"{URL}/api/v1/{path}",
        data=json.dumps(body).encode(),
        headers={"Auth": TOKEN, "Content-Type": "application/json"},
    )
    for attempt in range(ATTEMPTS):
        wait = random.random() * 0.25 * 2**attempt
        try:
            with urllib.request.urlopen(request, timeout=10) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            failure = read_error(error)
            if error.code != 429 and error.code < 500:
                raise failure from None
            after = error.headers.get("Retry-After", "")
            wait += min(int(after), 30) if after.isdigit() else 0
        except (urllib.error.URLError, OSError) as error:
            failure = SponsorgateError(0, "network_error", str(error))
        if attempt + 1 < ATTEMPTS:
            time.sleep(wait)
    raise failure


def read_error(error):
    try:
        body = json.loads(error.read())
        return SponsorgateError(error.code, body["code"], body["message"])
    except (ValueError, KeyError, TypeError):
        return SponsorgateError(error.code, "unexpected_answer", "no reason was given")


def get_sponsors(user_id, **about_user):
    """Returns the tasks to show. `about_user` can have first_name, username, language_code and is_premium."""
    return call("get-sponsors", {"user_id": user_id, **about_user})["sponsors"]


def confirm_subscriptions(user_id, ads_ids):
    """Confirms all tasks in one call, after "I subscribed". `grant_access` in the result: the user may enter."""
    return call("confirm-subscriptions", {"user_id": user_id, "ads_ids": ads_ids})


class WebhookRefused(Exception):
    """The message is not from the service, too old, or incomplete."""


def verify_webhook(secret, headers, body, tolerance_seconds=300):
    """Verifies a message (Standard Webhooks) and returns its event. `body` is the raw body, before parsing."""
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        key = b""
    if not key:
        raise ValueError("secret must be the whsec_... of the webhook")
    values = {name.lower(): value for name, value in headers.items()}
    message_id = values.get("webhook-id", "")
    timestamp = values.get("webhook-timestamp", "")
    if not (timestamp.isascii() and timestamp.isdigit()) or abs(time.time() - int(timestamp)) > tolerance_seconds:
        raise WebhookRefused("the message is too old, or its time is missing")
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    # During a rotation a message has two signatures. compare_digest takes the same time for every wrong signature.
    given = values.get("webhook-signature", "").encode().split(b" ")
    if not any(hmac.compare_digest(expected.encode(), signature) for signature in given):
        raise WebhookRefused("no signature was made with this secret")
    return json.loads(body)


def gate(user_id):
    """Does the work of a bot, with the terminal as the chat."""
    while sponsors := get_sponsors(user_id):
        for task in sponsors:
            print(f"  {task['title']}: {task['link']}")
        input("Subscribe to these, then press Enter ")
        answer = confirm_subscriptions(user_id, [task["ads_id"] for task in sponsors])
        for result in answer["results"]:
            print(f"  task {result['ads_id']}: {result['code']}, {result.get('credited', 0)} RUB")
    print("Welcome in!")


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(min(int(self.headers.get("Content-Length", 0)), 1_000_000))
        try:
            event = verify_webhook(os.environ["WEBHOOK_SECRET"], self.headers, body)
        except WebhookRefused as reason:
            print(f"refused: {reason}", flush=True)
            self.send_response(400)
        else:
            print(f"{event['type']} {json.dumps(event['data'])}", flush=True)
            self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def receive(port):
    with http.server.ThreadingHTTPServer(("127.0.0.1", port), Receiver) as server:
        print(f"waiting at http://127.0.0.1:{server.server_port}/", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    try:
        if sys.argv[1:2] == ["--receive"]:
            receive(int(sys.argv[2]))
        elif len(sys.argv) == 2:
            gate(int(sys.argv[1]))
        else:
            sys.exit(__doc__)
    except SponsorgateError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        pass
