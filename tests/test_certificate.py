"""The certificate of the phone's page: its own machine's, no one else's, and renewed before it fails."""

import ssl
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.certificate import KEY, LASTS, RENEWED, CertificateError, of_this_machine
from companion.web.serving.clock import DateWatch

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
NAMES = ["localhost", "127.0.0.1", "table.local", "192.168.1.5"]


def leaf(chain: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(chain.read_bytes())


def test_it_is_for_these_names_and_no_longer_than_a_phone_believes(tmp_path: Path) -> None:
    made = of_this_machine(NAMES, tmp_path, NOW)
    assert set(made.names) == set(NAMES)
    certificate = leaf(made.chain)
    lasts = certificate.not_valid_after_utc - certificate.not_valid_before_utc
    assert lasts <= timedelta(days=825)
    assert certificate.not_valid_before_utc < NOW < certificate.not_valid_after_utc
    assert certificate.extensions.get_extension_for_class(x509.BasicConstraints).value.ca is False
    certificate.verify_directly_issued_by(x509.load_der_x509_certificate(made.root))


def test_nobody_else_may_read_the_key_and_the_roots_key_is_nowhere(tmp_path: Path) -> None:
    made = of_this_machine(NAMES, tmp_path / "new", NOW)
    assert stat.S_IMODE(made.key.stat().st_mode) == 0o600
    assert stat.S_IMODE(made.key.parent.stat().st_mode) == 0o700
    kept = b"".join(path.read_bytes() for path in made.key.parent.iterdir())
    assert kept.count(b"PRIVATE KEY-----\n") == 2  # the first and the last line of the one key


def test_it_is_kept_while_it_serves_and_made_anew_when_not(tmp_path: Path) -> None:
    first = of_this_machine(NAMES, tmp_path, NOW)
    assert of_this_machine(NAMES[:2], tmp_path, NOW) == first
    moved = of_this_machine([*NAMES, "10.0.0.7"], tmp_path, NOW)  # the network gave another address
    assert moved.fingerprint != first.fingerprint
    assert "10.0.0.7" in moved.names
    later = NOW + LASTS - RENEWED
    assert of_this_machine(NAMES, tmp_path, later).ends > moved.ends
    (tmp_path / KEY).chmod(0o644)  # others may have read it meanwhile
    assert of_this_machine(NAMES, tmp_path, later).fingerprint != moved.fingerprint


BEFORE_ALL = datetime(1970, 1, 1, tzinfo=UTC)


def test_a_clock_that_begins_in_1970_makes_one_that_holds_when_it_is_right(tmp_path: Path) -> None:
    """It once ended in 1972, and nobody looked at it again."""
    made = of_this_machine(NAMES, tmp_path, BEFORE_ALL)
    assert made.begins < datetime(2026, 1, 1, tzinfo=UTC)
    assert made.ends > NOW + RENEWED
    assert of_this_machine(NAMES, tmp_path, NOW) == made
    later = of_this_machine(NAMES, tmp_path, NOW + LASTS)
    assert of_this_machine(NAMES, tmp_path, BEFORE_ALL) == later, "a wrong clock replaces nothing that serves"


def test_one_that_has_not_begun_is_replaced(tmp_path: Path) -> None:
    """Made while the clock was years ahead, it was once kept for ever, and no phone took it."""
    ahead = of_this_machine(NAMES, tmp_path, datetime(2030, 1, 1, tzinfo=UTC))
    made = of_this_machine(NAMES, tmp_path, NOW)
    assert made.fingerprint != ahead.fingerprint
    assert made.begins < NOW - timedelta(days=7)
    assert of_this_machine(NAMES, tmp_path, NOW + timedelta(days=1)) == made


def test_the_date_is_looked_at_again_when_the_clock_jumps_and_once_a_day() -> None:
    now, passed, values = [0.0], [0.0], []
    fails = [False]

    def look() -> None:
        values.append(now[0])
        if fails[0]:
            raise CertificateError("the disk is full")

    watch = DateWatch(look, now=lambda: now[0], passed=lambda: passed[0])

    def after(seconds: float, jump: float = 0.0) -> int:
        passed[0] += seconds
        now[0] += seconds + jump
        watch.step()
        return len(values)

    assert after(10) == 0
    assert after(10, 0.5) == 0, "a clock that is corrected a little"
    assert after(10, 1.8e9) == 1
    assert after(10) == 1
    assert after(10, -1.2e8) == 2
    assert [after(3600) for _ in range(24)] == [2] * 23 + [3]
    fails[0] = True
    assert [after(10, 90), after(10), after(10)] == [4, 5, 6], "again until it succeeds"
    fails[0] = False
    assert [after(10), after(10)] == [7, 7]


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(which=st.sampled_from(["phone-chain.pem", "phone-key.pem", "phone-root.der"]), rubbish=st.binary(max_size=200))
def test_what_is_damaged_is_made_anew(tmp_path: Path, which: str, rubbish: bytes) -> None:
    of_this_machine(NAMES, tmp_path, NOW)
    (tmp_path / which).write_bytes(rubbish)
    made = of_this_machine(NAMES, tmp_path, NOW)
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(made.chain, made.key)
    leaf(made.chain).verify_directly_issued_by(x509.load_der_x509_certificate(made.root))


def test_a_folder_that_cannot_be_written_is_said_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(CertificateError, match="cannot be kept"):
        of_this_machine(NAMES, tmp_path / "taken", NOW)
