"""What becomes of a source: errors that name the feature and the line, machine code that is kept
and is the same again.
"""

import unicodedata

import pytest
from typer.testing import CliRunner

from bundler.__main__ import app
from bundler.errors import BundleError, NoKernelError
from bundler.native import embedding
from bundler.native.compile import KernelError, compile_kernels
from bundler.native.embedding import ENCODINGS, embed, encoded, packed
from bundler.native.link import LinkError, link
from shared.core.machine_code import decoded

HEAD = 'import numba\nimport numpy as np\nMACHINE_CODE = ""\n'


def kernel(signature, *body, parameters="n"):
    lines = "".join(f"    {line}\n" for line in body)
    return f"{HEAD}@numba.njit({signature!r})\ndef play({parameters}):\n{lines}"


@pytest.mark.parametrize(
    "source, line, said",
    [
        (kernel("int64(int64)", "d = {1: 2}", "d[n] = n", "return len(d)"), 4, "a dict"),
        (kernel("int64(int64)", "print(n)", "return n"), 4, "print"),
        (kernel("float64(int64)", "return np.random.random() + n"), 4, "np.random"),
        (kernel("int64(int64)", "a = [n]", "a.append(n)", "return a[-1]"), 4, "a list"),
        (
            kernel("int64(int64)", "if n:", "    raise ValueError(n)", "return n"),
            4,
            "computed arguments",
        ),
        (kernel("int64(unicode_type)", "return len(n)"), 4, "unsupported type"),
        (kernel("complex128(int64)", "return n * 1j"), 4, "unsupported type"),
        (kernel("int64[::1](int64)", "return np.zeros(n, np.int64)"), 4, "unsupported type"),
        (kernel("int64(int64)", "k = n + 1", "return k.nothing"), 7, "nothing"),
    ],
)
def test_what_cannot_be_compiled_is_named_with_its_line(tmp_path, source, line, said):
    path = tmp_path / "bot.py"
    path.write_text(source)
    with pytest.raises(KernelError) as caught:
        compile_kernels(str(path), "x86-64-v2")
    assert caught.value.args[0] == line
    assert said in " ".join(caught.value.args[1:])


def test_a_bundle_that_cannot_be_compiled_is_an_error_of_the_bundler(tmp_path):
    source = "# bots/my_bot.py:1\n" + kernel("int64(int64)", "print(n)", "return n")
    with pytest.raises(BundleError, match="^bots/my_bot.py:4: kernel play: .*print"):
        embed(source, source, cache=tmp_path)


def test_a_bot_that_fails_when_imported_is_an_error_of_the_bundler(tmp_path):
    source = "# bots/my_bot.py:1\n" + HEAD + "def play():\n    input()\n\nplay()\n"
    with pytest.raises(
        BundleError, match="^bots/my_bot.py:5: importing the bot ends with EOFError"
    ):
        embed(HEAD, source, cache=tmp_path)


def test_a_source_without_a_place_for_machine_code_has_no_kernels(tmp_path):
    with pytest.raises(NoKernelError):
        embed("print(1)\n", "print(1)\n", cache=tmp_path)


def test_a_place_for_machine_code_is_no_kernel(tmp_path):
    with pytest.raises(NoKernelError, match="no kernel: mark an entry point"):
        embed(HEAD, HEAD, cache=tmp_path)


def test_machine_code_is_kept_by_source_and_processor(tmp_path, monkeypatch):
    asked = []

    def make(source, cpu, path):
        asked.append(cpu)
        return bytes(4)

    monkeypatch.setattr(embedding, "make_machine_code", make)
    first = embed(HEAD, HEAD, cache=tmp_path)
    assert embed(HEAD, HEAD, cache=tmp_path) == first
    assert asked == ["x86-64-v2"]
    embed(HEAD, HEAD, cpu="x86-64-v3", cache=tmp_path)
    embed(HEAD, HEAD + "# changed\n", cache=tmp_path)
    assert asked == ["x86-64-v2", "x86-64-v3", "x86-64-v2"]


def test_the_readable_source_stays_around_the_machine_code(zoo):
    text = zoo.read_text()
    assert text.count("MACHINE_CODE = ") == 1
    assert "    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)\n" in text
    code = text.partition('MACHINE_CODE = r"""\n')[2].partition('\n"""\n')[0]
    assert max(len(line) for line in code.splitlines()) == 100


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("size", range(1, 64))
def test_an_encoding_gives_its_bytes_back(size, encoding):
    """However many bits the last letters leave unused."""
    data = bytes(range(255, 255 - size, -1))
    assert decoded(encoded(data, ENCODINGS[encoding])) == data


def test_what_is_packed_ends_with_no_zero():
    """The decoder cannot tell a zero at the end from bits that are unused."""
    for size in range(9):
        assert packed(bytes(size))[-1] != 0


def test_the_wide_alphabet_survives_copy_and_paste():
    """One UTF-16 unit each, letters that no normalisation changes, in Python's eyes as in a
    browser's.
    """
    first, base = ENCODINGS["wide"][:2]
    alphabet = "".join(chr(first + digit) for digit in range(base))
    assert len(alphabet.encode("utf-16-le")) == 2 * base
    assert {unicodedata.category(character) for character in alphabet} == {"Lo", "So"}
    assert not any(map(unicodedata.combining, alphabet))
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        assert unicodedata.normalize(form, alphabet) == alphabet


def test_the_other_alphabet_is_ascii_that_ends_no_string():
    first, base = ENCODINGS["base85"][:2]
    alphabet = "".join(chr(first + digit) for digit in range(base))
    assert alphabet.isascii() and alphabet.isprintable() and '"' not in alphabet


def test_no_base_is_larger_than_its_bits_need():
    for encoding in ENCODINGS.values():
        values = 1 << encoding.bits
        assert (encoding.base - 1) ** encoding.letters < values <= encoding.base**encoding.letters


def test_an_unknown_relocation_is_refused(tmp_path):
    """The offset table of this file holds a relocation against a 32-bit absolute address, which
    cannot be placed.
    """
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_triple("x86_64-pc-linux-gnu").create_target_machine(
        reloc="static", codemodel="small"
    )
    module = llvm.parse_assembly(
        'target triple = "x86_64-pc-linux-gnu"\n'
        "@table = global [4 x i64] zeroinitializer\n"
        "define ptr @f(i64 %i) {\n"
        "  %p = getelementptr [4 x i64], ptr @table, i64 0, i64 %i\n  ret ptr %p\n}\n"
    )
    with pytest.raises(LinkError, match="relocation"):
        link(machine.emit_object(module))


def test_the_command_line_chooses_processor_and_encoding(tmp_path, monkeypatch):
    asked = []

    def make(text, kernels, **options):
        asked.append(options)
        return text

    monkeypatch.setattr("bundler.native.embed", make)
    bot, out = str(tmp_path / "bot.py"), str(tmp_path / "out.py")
    (tmp_path / "bot.py").write_text("print(1)\n")
    command = ["bundle", bot, "-o", out, "--no-check"]
    chosen = ["--mode", "native", "--cpu", "x86-64-v3", "--encode", "base85"]
    assert CliRunner().invoke(app, [*command, *chosen]).exit_code == 0
    assert asked == [{"cpu": "x86-64-v3", "encode": "base85", "path": bot}]
    for option in (["--cpu", "x86-64-v3"], ["--encode", "base85"]):
        result = CliRunner().invoke(app, [*command, *option, "--mode", "numba"])
        assert result.exit_code == 2
        assert "--cpu and --encode go with --mode native" in result.output
