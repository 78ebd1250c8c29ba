"""Serves Oracle's wire protocol over a PostgreSQL: the mirror of PyPI seerdb 3.3.0 with what node-oracledb 26 Thin and Dyno need besides.

Arguments: port of PostgreSQL, port to listen on, PostgreSQL's role that the mirror works as. Standard input, a line each: passwords of
PostgreSQL's superuser and of that role, "USER:password" of the mirror's user.
Not Oracle: no direct path load, no FORALL, no collections, no prompt break, none of Oracle's physical DDL, few V$ views.
"""

import os
import pathlib
import re
import sys
import types

# Only seerdb's own client needs it, for data frames: 170 MB less to install.
sys.modules['pyarrow'] = types.ModuleType('pyarrow')

import psycopg  # noqa: E402
from seerdb.common.tns import decode_ub4  # noqa: E402
from seerdb.server import handshake, launcher, session  # noqa: E402
from seerdb.server.backends import postgres  # noqa: E402

# node-oracledb reads these where the mirror's own client does not. 0x0008 in the ACCEPT packet's flags: no native network services to
# negotiate. Bit 0 of the second run-time capability: time zones in a form that the mirror then does not send.
handshake._ACCEPT_LARGE_RESERVED |= 0x0008
handshake._ACCEPT_RESERVED |= 0x0008
capabilities = bytearray(handshake._SERVER_RUNTIME_CAPS)
capabilities[1] &= ~0x01
handshake._SERVER_RUNTIME_CAPS = bytes(capabilities)

# IS JSON came with PostgreSQL 16; without it the whole script of helper functions would fail.
postgres._HELPER_FUNCTIONS_DDL = postgres._HELPER_FUNCTIONS_DDL.replace('$1 IS JSON', 'true')

# Clauses on where and how rows are stored, which PostgreSQL does not have.
PHYSICAL = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r'\s+ORGANIZATION\s+INDEX\b',
        r'\s+PARTITION\s+BY\s+HASH\s*\([^)]*\)\s*PARTITIONS\s+\d+',
        r'\s+USING\s+INDEX(\s+(LOCAL|REVERSE))?\b',
    )
]
INTO = re.compile(r'INTO\s+("[^"]+"\s*\([^)]*\))\s*VALUES\s*(\((?:[^()\']|\'(?:[^\']|\'\')*\'|\([^()]*\))*\))')
# The mirror takes a quoted "BLOB" for the type's name.
BLOB = re.compile(r'"BLOB"')
HEX = re.compile(r"TO_NUMBER\((SUBSTR\(\w+, 1, 8\)), 'XXXXXXXX'\)")


def rewrite(sql):
    """Statements as Dyno writes them, in words that the mirror understands."""
    sql = HEX.sub(r'sys.dyno_hex(\1)', BLOB.sub('"BLOB_"', sql))
    if sql.startswith('CREATE TABLE'):
        for pattern in PHYSICAL:
            sql = pattern.sub('', sql)
    elif sql.startswith('INSERT ALL'):
        parts = INTO.findall(sql)
        sql = f'INSERT INTO {parts[0][0]} VALUES ' + ', '.join(values for _, values in parts)
    elif sql.startswith('BEGIN DBMS_STATS.GATHER_TABLE_STATS'):
        sql = 'BEGIN NULL; END;'
    elif sql == 'ALTER SYSTEM CHECKPOINT':
        raise postgres.BackendError('insufficient privileges', ora_code=1031)
    return sql


TABLE = re.compile(r'"(DYNO_[^"]*)"')
# Functions, and what is quoted, a literal or the name of a bind, are no columns without quotes.
WORD = re.compile(r'"[^"]*"|\'(?:[^\']|\'\')*\'|:\w+|\b[A-Za-z][\w$#]*\b(?!\s*\()')


def quote_columns(backend, sql):
    """Columns of Dyno's tables, in statements of others: without quotes they are upper-case to Oracle, and lower-case to PostgreSQL."""
    tables = set(TABLE.findall(sql))
    if not tables or len(tables) < len(set(re.findall(r'"([^"]*)"', sql))):
        return sql
    known = backend.__dict__.setdefault('dyno_columns', {})
    for table in tables - known.keys():
        found = backend._conn.execute(
            'SELECT attname FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid WHERE relname = %s AND attnum > 0', [table]
        )
        known[table] = {name for (name,) in found.fetchall()}
    columns = set().union(*(known[table] for table in tables))
    return WORD.sub(lambda word: f'"{word[0].upper()}"' if word[0].upper() in columns else word[0], sql)


def rewriting(method):
    def call(self, sql, *more, **named):
        return method(self, quote_columns(self, rewrite(sql)), *more, **named)

    return call


for name in ('execute', 'execute_many', 'execute_many_rowcounts'):
    setattr(postgres.PostgresBackend, name, rewriting(getattr(postgres.PostgresBackend, name)))

skip_piggybacks = session._skip_piggybacks


def skip_piggybacks_to_token(*arguments):
    """A pipelined call's token, as node-oracledb sends it: in the call's own header, and 0 in those of the piggybacks before it."""
    body = skip_piggybacks(*arguments)
    stream = sys._getframe(1).f_locals['stream']
    if stream.response_token is not None and len(body) > 3:
        stream.response_token, _ = decode_ub4(body[3:])
    return body


session._skip_piggybacks = skip_piggybacks_to_token

parse_reexecute = session.parse_reexecute


def parse_whole_reexecute(body, bind_types=None, **more):
    """Where a packet ends with a row, the mirror takes what follows for a message of its own (message type 7)."""
    request = parse_reexecute(body, bind_types=bind_types, **more)
    if bind_types and body[1] == session.TNS_FUNC_REEXECUTE and len(request.bind_rows) < request.fetch:
        raise session.Truncated(f'{len(request.bind_rows)} of {request.fetch} rows')
    return request


session.parse_reexecute = parse_whole_reexecute

complete_message = session._complete_message


def complete_message_at_once(stream, body, parse):
    """The mirror parses a long message again after each of its packets, in quadratic time; all but the last packet of one are full."""
    full = stream.sdu - 10
    try:
        parse(body)
        return body
    except session.Truncated:
        size = full
    try:
        while size >= full:
            kind, part = stream.read_packet(within=0.2) or (None, b'')
            if kind != session.TNS_DATA:
                break
            body, size = body + part, len(part)
    except TimeoutError:
        pass
    return complete_message(stream, body, parse)


session._complete_message = complete_message_at_once

# A cursor's number is two bytes on the wire, and the mirror counts on for ever. The first thousand are those of statements that a session keeps.
LAST_CURSOR = 0xFFFF
AGAIN_FROM = 1_024
CURSOR_TABLES = ('_open', '_scroll', '_dml', '_query', '_bind_directions', '_describe', '_defines', '_delivered')


def set_next_cursor(self, number):
    number = number if number <= LAST_CURSOR else AGAIN_FROM
    for table in CURSOR_TABLES:
        self.__dict__.get(table, {}).pop(number, None)
    self.__dict__['_next'] = number


session._Cursors._next = property(lambda self: self.__dict__['_next'], set_next_cursor)

set_end_to_end = postgres.PostgresBackend.set_end_to_end


def set_application_name(self, attributes):
    """The client identifier as PostgreSQL's application name: other sessions see it there (V$SESSION)."""
    set_end_to_end(self, attributes)
    if attributes.get('client_identifier'):
        with self._conn.cursor() as cursor:
            cursor.execute('SELECT set_config(%s, %s, false)', ('application_name', attributes['client_identifier']))


postgres.PostgresBackend.set_end_to_end = set_application_name


def main():
    backend_port, port, role = sys.argv[1:]
    admin_password = sys.stdin.readline().rstrip('\n')
    # Where libpq and seerdb look. Set from within, they are not among what the system shows of this process's environment.
    os.environ['PGPASSWORD'] = sys.stdin.readline().rstrip('\n')
    os.environ['MIRROR_USERS'] = sys.stdin.readline().rstrip('\n')
    server = f'host=127.0.0.1 port={backend_port}'

    def as_admin(database):
        return psycopg.connect(f'{server} user=postgres dbname={database}', password=admin_password, autocommit=True)

    with as_admin('postgres') as admin:
        if not admin.execute("SELECT 1 FROM pg_database WHERE datname = 'dyno'").fetchone():
            admin.execute(f'CREATE DATABASE dyno OWNER {role}')
    with as_admin('dyno') as admin:
        admin.execute('CREATE EXTENSION IF NOT EXISTS orafce')
        # orafce's draws from 2^31 values: among a few ten thousand keys some would be equal.
        admin.execute(
            'CREATE OR REPLACE FUNCTION dbms_random.value() RETURNS double precision LANGUAGE sql VOLATILE AS $$ SELECT random() $$'
        )
    conninfo = f'{server} user={role} dbname=dyno'
    # A first session makes the mirror install its functions and views, as a superuser; ours come on top of them.
    launch = launcher.build(['postgres', conninfo])
    with as_admin('dyno') as admin:
        admin.execute(f'ALTER ROLE {role} SUPERUSER')
        try:
            launch.backend_factory().close()
        finally:
            # Statements that the mirror passes on may reach neither files nor programs.
            admin.execute(f'ALTER ROLE {role} NOSUPERUSER')
    with psycopg.connect(conninfo, autocommit=True) as owner:
        owner.execute(pathlib.Path(__file__).with_suffix('.sql').read_text(encoding='utf-8'))
    launcher.main(
        ['--host', '127.0.0.1', '--port', port, '--encryption', 'accepted', '--failed-login-attempts', '0']
        + ['--log-level', 'WARNING', 'postgres', conninfo]
    )


main()
