#!/usr/bin/env python3
"""Writes messages of jobs into your own MySQL or MariaDB, each exactly once.

    forward-messages.py --user me --password-file pw --database grid -- --all
    forward-messages.py --database grid --once -- --vo dteam --output

What stands after -- are options of "ce messages", which this program runs: whose messages, and which. The cursor of the last one is kept
in the same transaction as the rows. Whatever ends the program, it goes on where the database is when it is started again, by hand, by
cron with --once, or by systemd with Restart=always. Needs python3, PyMySQL and the command ce, with your proxy or token.
"""

import argparse
import json
import os
import select
import subprocess
import sys

import pymysql

ROWS_AT_ONCE = 500
BYTES_AT_ONCE = 1 << 16

TABLES = (
    """CREATE TABLE IF NOT EXISTS ce_message (
        place    VARCHAR(40)  CHARACTER SET ascii NOT NULL PRIMARY KEY,
        job      VARCHAR(255) CHARACTER SET ascii NOT NULL,
        kind     VARCHAR(16)  CHARACTER SET ascii NOT NULL,
        number   BIGINT       NOT NULL,
        sent     DATETIME(6)  NOT NULL,
        received DATETIME(6)  NOT NULL,
        level    VARCHAR(16)  CHARACTER SET ascii NULL,
        name     VARCHAR(64)  CHARACTER SET ascii NULL,
        content  TEXT         CHARACTER SET utf8mb4 NOT NULL,
        KEY by_job (job, number)
    ) ENGINE = InnoDB""",
    """CREATE TABLE IF NOT EXISTS ce_forwarded (
        forwarder VARCHAR(64) CHARACTER SET ascii NOT NULL PRIMARY KEY,
        place     VARCHAR(40) CHARACTER SET ascii NOT NULL
    ) ENGINE = InnoDB""",
)
INSERT = "INSERT INTO ce_message VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)"
KEEP = "REPLACE INTO ce_forwarded VALUES (%s, %s)"
FIND = "SELECT place FROM ce_forwarded WHERE forwarder = %s"


def time(text):
    """An instant such as 2026-11-25T12:00:00Z, as DATETIME in UTC."""
    return text.rstrip("Z").replace("T", " ")


def row(message):
    return (
        message["cursor"],
        message["job"],
        message["kind"],
        message.get("number", message.get("offset", 0)),
        time(message["sent"]),
        time(message["received"]),
        message.get("level"),
        message.get("key"),
        message["text"],
    )


def store(database, name, messages, cursor):
    """Rows and the cursor after them, or neither."""
    with database.cursor() as statement:
        if messages:
            statement.executemany(INSERT, [row(message) for message in messages])
        statement.execute(KEEP, (name, cursor))
    database.commit()
    return len(messages)


def connect(options):
    where = {"unix_socket": options.socket} if options.socket else {"host": options.host, "port": options.port}
    password = ""
    if options.password_file:
        with open(options.password_file, encoding="utf-8") as file:
            password = file.readline().strip()
    return pymysql.connect(
        user=options.user, password=password, database=options.database, charset="utf8mb4", autocommit=False, **where
    )


def once(database, options, cursor):
    """What is stored now, page by page."""
    stored = 0
    more = True
    while more:
        command = [options.ce, "messages", "--json", "--after", cursor, "--max", str(ROWS_AT_ONCE), *options.which]
        answer = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
        cursor, more = answer["next"], answer["more"]
        stored += store(database, options.name, answer["messages"], cursor)
    return stored, cursor


def lines(stream):
    """Lists of lines as they come: what is there is stored together."""
    rest = b""
    while True:
        select.select([stream], [], [])
        more = os.read(stream.fileno(), BYTES_AT_ONCE)
        if not more:
            return
        *whole, rest = (rest + more).split(b"\n")
        if whole:
            yield whole


def follow(database, options, cursor):
    """What is stored and what comes; ends with ce messages: when the jobs that were named have ended."""
    stored = 0
    command = [options.ce, "messages", "--json", "--follow", "--after", cursor, *options.which]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as ce:
        try:
            for batch in lines(ce.stdout):
                messages = [m for m in map(json.loads, batch) if m["kind"] != "end"]
                if messages:
                    cursor = messages[-1]["cursor"]
                    stored += store(database, options.name, messages, cursor)
        finally:
            ce.terminate()
    if ce.returncode > 0:
        sys.exit(f"ce messages ended with {ce.returncode}: it says why above")
    return stored, cursor


def main():
    parser = argparse.ArgumentParser(description="Writes messages of jobs into your own MySQL, each exactly once.")
    parser.add_argument("--host", default="localhost")
    parser.add_argument("--port", type=int, default=3306)
    parser.add_argument("--socket", help="in place of host and port")
    parser.add_argument("--user", default=os.environ.get("USER"))
    parser.add_argument("--password-file", help="its first line is the password")
    parser.add_argument("--database", required=True)
    parser.add_argument("--name", default="messages", help="under which the cursor is kept; another one begins anew")
    parser.add_argument("--ce", default="ce", help="the command ce")
    parser.add_argument("--once", action="store_true", help="end when all that is stored is forwarded")
    parser.add_argument("which", nargs="+", help="after --: options and jobs for ce messages")
    options = parser.parse_args()
    database = connect(options)
    with database.cursor() as statement:
        for table in TABLES:
            statement.execute(table)
        statement.execute(FIND, (options.name,))
        found = statement.fetchone()
    database.commit()
    stored, cursor = (once if options.once else follow)(database, options, found[0] if found else "0")
    print(json.dumps({"stored": stored, "cursor": cursor}))


if __name__ == "__main__":
    main()
