import {
  isExample,
  isMessage,
  isPattern,
  isSetup,
  isTaught,
} from "../../context/teaching-context.ts";
import type { ScanLine } from "../../context/scan-line.ts";
import type { ScanCheck } from "../../scan-check.ts";

const DECODER =
  /b64decode|base64\.\w*decode|a2b_base64|unhexlify|bytes\.fromhex|zlib\.decompress|marshal\.loads|codecs\.decode|\batob\(|from\([^)\n]{0,200},\s*["'](?:base64|hex)["']|fromcharcode|\bchr\(|frombase64string|base64\.(?:strict_|urlsafe_)?decode64|decode_base64|\bunpack\(|\.decode\(["'](?:rot_?13|hex|base64)|lzma\.decompress|gzip\.decompress|bz2\.decompress|string\.fromcodepoint|unescape\(|decodeuricomponent\(/;
const RUNNER =
  /(?<![.\w])(?:exec|eval|execfile|compile)\s*\(|\bos\.(?:system|popen)\s*\(|\bsubprocess\.\w+\s*\(|\bnew function\s*\(|(?<![.\w])function\s*\(\s*\w*(?:atob|code)|\bexecsync\s*\(|\bchild_process\b|\bvm\.run\w*\s*\(|\binvoke-expression\b|\biex\b|\bsystem\s*\(|\binstance_eval\b|\b__import__\s*\(|\bsettimeout\(\s*atob|\bruninthiscontext|\.constructor\.constructor\(|\bshell_exec\b|\bproc_open\b/g;
const PIPED =
  /(?:base64\s+(?:-\w*[dD]\w*|--decode)|base32\s+-d|openssl\s+(?:enc\s+-d|base64\s+-d|aes\S{0,12}\s+-d)[^\n|]{0,80}|xxd\s+-r\S*(?:\s+-p)?|gunzip|zcat|tr\s+["']?[a-z]-[a-z]\S{0,12}\s+\S{3,16}|rev|printf\s+["']?\\x\S{4,}|uudecode)\s{0,2}[^\n|;&]{0,60}\|\s*(?:sudo\s+)?(?:\/(?:usr\/)?bin\/)?(?:ba|z|da|k)?(?:sh|python3?|perl|node|ruby|php)\b/;
const SUBSTITUTED =
  /(?:\beval|\b(?:ba|z)?sh\s+-c|\bsource|\bpython3?\s+-c|\bperl\s+-e)\s+["']?[$(`]{1,2}[^\n]{0,200}(?:base64\s+(?:-\w*d|--decode)|xxd\s+-r|openssl\s+(?:enc|base64))|(?:ba|z)?sh\s+<\s*\([^\n]{0,200}base64\s+-\w*d|<<<\s*["']?[$]\([^\n]{0,200}base64\s+-\w*d/;
const POWERSHELL =
  /\b(?:powershell|pwsh)(?:\.exe)?\b[^\n]{0,160}\s-e(?:n|nc|nco|ncod|ncode|ncoded|ncodedc\w*)?\s+["']?[a-z0-9+/=]{16,}|frombase64string[^\n]{0,200}(?:\|\s*iex\b|invoke-expression)|(?:\biex\b|invoke-expression)[^\n]{0,120}frombase64string/;
const NEAR = 12;
const ARGUMENT = 160;
/** A longer line is minified, and its short names mean many things. */
const SAME_LINE = 400;

export const decodedExecution: ScanCheck = {
  id: "decoded-execution",
  severity: "critical",
  category: "obfuscated-execution",
  summary: "Something is decoded and then run.",
  explanation:
    "Base64, hex, compressed or character-by-character code that goes to eval, exec or a shell exists so that nobody reads it. Code that a skill runs stands in its files as text.",
  words: [
    "b64decode",
    "base64",
    "unhexlify",
    "fromhex",
    "zlib",
    "marshal",
    "codecs.decode",
    "atob(",
    "fromcharcode",
    "chr(",
    "frombase64string",
    "xxd",
    "openssl",
    "rot13",
    "rot_13",
    "lzma",
    "gzip.decompress",
    "bz2",
    "unpack(",
    "powershell",
    "pwsh",
    "gunzip",
    "zcat",
    "base32",
    "uudecode",
    "decode64",
    "unescape(",
    "| rev",
    "|rev",
    "| tr ",
    "decodeuricomponent",
    "a85decode",
    "b85decode",
  ],
  look: (line) => {
    const { text } = line;
    if (!DECODER.test(text) && !/\||eval|source|-c|-e|<|iex|invoke/.test(text)) return undefined;
    if (!line.isCode && line.zone !== "config" && !isCommandSpan(line)) return undefined;
    const shell = [PIPED, SUBSTITUTED, POWERSHELL]
      .map((pattern) => text.search(pattern))
      .find((at) => at !== -1);
    if (shell !== undefined) {
      if (isQuiet(line, shell)) return undefined;
      return {
        message: "It decodes something and gives it to an interpreter",
        severity: severityOf(line),
      };
    }
    const decodes = text.search(DECODER);
    if (decodes === -1 || line.zone === "config" || isQuiet(line, decodes)) return undefined;
    return lookForRunner(line, text);
  },
};

/** The decoder stands in the argument of what runs it. */
function runsDirectly(text: string): boolean {
  for (const { index } of text.matchAll(RUNNER)) {
    const argument = text.slice(index, index + ARGUMENT);
    if (DECODER.test(argument) && !/json\.(?:loads|parse)|re\.compile|\.test\(/.test(argument))
      return true;
  }
  return false;
}

function lookForRunner(line: ScanLine, text: string) {
  if (
    /\bchr\(/.test(text) &&
    !/chr\([^)]{0,30}\)(?:\s*\+\s*chr\(|[^\n]{0,60}(?:join|for\b))|join\([^\n]{0,60}chr\(|map\(chr/.test(
      text,
    ) &&
    !DECODER.test(text.replaceAll("chr(", ""))
  )
    return undefined;
  if (runsDirectly(text)) return { message: "It runs what it decodes", severity: severityOf(line) };
  const name = /(?:^|[\s;(])(?:const |let |var |\$|my \$)?(\w{1,40})\s*(?::\s*\w+\s*)?=\s*/.exec(
    text,
  )?.[1];
  if (name === undefined) return undefined;
  const used = new RegExp(
    `(?:(?<![.\\w])(?:exec|eval|compile)|os\\.(?:system|popen)|subprocess\\.\\w+|new function|execsync|iex|invoke-expression|\\bsystem|vm\\.run\\w*|(?<![.\\w])(?:require|import)(?=\\()|child_process["'\`]?\\)?\\.(?:exec|spawn)\\w*)\\s*\\(?\\s*\\(?["'\`\\[$]{0,3}(?:\\s?(?:bash|sh|-c|python3?|compile)["',\\s(]{1,6}){0,3}\\$?${name}\\b|(?:require\\([^)\n]{1,40}\\)|child_process|global(?:this)?|window|process|\\bcp)\\[\\s*${name}\\s*\\]\\s*\\(`,
  );
  const after = [text.slice(0, SAME_LINE)];
  for (
    let index = line.index + 1;
    index <= line.index + NEAR && index < line.file.lineCount;
    index++
  )
    after.push(line.file.rawLine(index).slice(0, 300).toLowerCase());
  return used.test(after.join("\n"))
    ? { message: `It decodes "${name}" and runs it`, severity: severityOf(line) }
    : undefined;
}

function isQuiet(line: ScanLine, at: number): boolean {
  if (line.file.kind === "prose") return isTaught(line);
  if (isExample(line)) return true;
  return (
    (isPattern(line) && !/exec\(|eval\(|\|\s*(?:ba)?sh\b/.test(line.text)) ||
    /re\.compile\(|\(\?i\)|\\s[*+]/.test(line.raw) ||
    isMessage(line, at)
  );
}

function severityOf(line: ScanLine): "medium" | "critical" {
  return line.quotesAttacks && line.zone !== "code" && !isSetup(line) ? "medium" : "critical";
}

/** A command in the running text that is to be pasted somewhere. */
function isCommandSpan(line: ScanLine): boolean {
  return line.isProse && /`[^`\n]{12,}`|^\s{4,}\S/.test(line.raw);
}
