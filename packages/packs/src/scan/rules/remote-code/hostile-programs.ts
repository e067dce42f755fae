import type { ScanLine } from "../../context/scan-line.ts";
import { isExample, isMessage, isPattern, isTaught } from "../../context/teaching-context.ts";
import type { PlacedSuspicion, ScanCheck } from "../../scan-check.ts";

const REVERSE_SHELL = new RegExp(
  [
    String.raw`(?:bash|sh|zsh)\s+-i\b[^\n]{0,40}(?:>&|&>|>)\s*/dev/(?:tcp|udp)/`,
    String.raw`/dev/(?:tcp|udp)/[\w.$"{}-]{1,80}/[\w$"{}]{1,20}[^\n]{0,60}(?:0>&1|<&|\bsh\b|\bbash\b)|exec\s+\d{1,3}<>\s*/dev/tcp/`,
    String.raw`\b(?:nc|ncat|netcat)\b[^\n|;]{0,80}\s-\w{0,4}[ec]\w{0,2}\s+["']?(?:/(?:usr/)?bin/)?(?:ba|z|da)?(?:sh|cmd|powershell)`,
    String.raw`mkfifo\s+\S{1,60}[^\n]{0,160}\b(?:nc|ncat|netcat|openssl|telnet)\b`,
    String.raw`\b(?:nc|ncat|netcat)\s[^\n|;]{0,60}\|\s*(?:/bin/)?(?:ba|z)?sh\b`,
    String.raw`\bsocat\b[^\n]{0,120}exec:\S{0,40}(?:sh|cmd)`,
    String.raw`socket\.socket[^\n]{0,300}(?:dup2|pty\.spawn|subprocess)[^\n]{0,200}(?:/bin/|sh)`,
    String.raw`fsockopen\([^\n]{0,160}(?:exec|proc_open|shell_exec|system)|use\s+socket\b[^\n]{0,300}exec\s*[({]?["']?/bin/|tcpsocket\.(?:new|open)[^\n]{0,160}(?:exec|io\.popen|spawn)|new-object\s+(?:system\.)?net\.sockets\.tcpclient[^\n]{0,400}(?:iex|invoke-expression|getstream)`,
  ].join("|"),
);
const SOCKET =
  /socket\.socket\(|net\.(?:connect|createconnection|socket)\b|create_connection\(|tcpclient|tcpsocket|new\s+net\.socket/;
const SHELL =
  /os\.dup2\(|pty\.spawn\(|\bspawn\(\s*["'](?:\/bin\/(?:ba)?sh|cmd|bash|sh|powershell)|subprocess\.\w+\([^\n]{0,60}(?:recv|command|cmd|data)[^\n]{0,80}shell\s*=\s*true|exec(?:sync)?\(\s*(?:data|command|cmd|chunk)|invoke-expression\s+\$|iex\s+\$/;
const MINER =
  /\bxmrig\b|stratum\+(?:tcp|ssl)|\bminerd\b|\bcpuminer\b|coinhive|\bcryptonight\b|\bethminer\b|\bnbminer\b|\bt-rex\b[^\n]{0,40}-a\s|\bphoenixminer\b|\brandomx\b[^\n]{0,60}(?:pool|wallet)|\b(?:minexmr|nanopool|supportxmr|moneroocean|nicehash|2miners|f2pool|hashvault)\b|--donate-level/;
const KEYS =
  /\bpynput\b[^\n]{0,60}keyboard|keyboard\.(?:listener|on_press|on_release|hook|record)\s*\(|\bpyxhook\b|getasynckeystate|setwindowshookex|\biohook\b|node-global-key-listener|\buiohook\b|cgeventtapcreate|\/dev\/input\/event|xinput\s+test/;

const CLIPBOARD = /pyperclip\.paste|pbpaste|get-clipboard|xclip\s+-o/;

export const reverseShell: ScanCheck = {
  id: "reverse-shell",
  severity: "critical",
  category: "remote-code",
  summary: "A shell is connected to a host on the network.",
  explanation:
    "Whoever listens there controls this machine. Skills about penetration tests show such commands with placeholders; they are reported as medium there. In any other skill there is no reason for one.",
  words: [
    "/dev/tcp",
    "/dev/udp",
    " -e ",
    "-e /",
    "-c /",
    " nc ",
    "nc -",
    "|nc",
    "ncat",
    "netcat",
    "mkfifo",
    "socat",
    "dup2",
    "pty.spawn",
    "fsockopen",
    "tcpsocket",
    "tcpclient",
    "use socket",
  ],
  look: (line) => {
    const at = line.text.search(REVERSE_SHELL);
    return at === -1 ||
      (line.zone === "comment" && line.file.kind === "script") ||
      isShown(line, at)
      ? undefined
      : { message: "It gives a shell to a host on the network", severity: severityOf(line) };
  },
  *conclude(skill): Iterable<PlacedSuspicion> {
    for (const file of skill.files) {
      if (file.kind !== "script") continue;
      const text = file.text.toLowerCase();
      if (!SOCKET.test(text)) continue;
      const at = text.search(SHELL);
      if (at === -1) continue;
      const line = file.lineAt(at);
      if (!isPattern(line))
        yield {
          line,
          message: "It runs in a shell what arrives on a socket",
          severity: severityOf(line),
        };
    }
  },
};

export const cryptoMiner: ScanCheck = {
  id: "crypto-miner",
  severity: "critical",
  category: "remote-code",
  summary: "A program that mines cryptocurrency is fetched or started.",
  explanation:
    "A skill that mines spends the user's machine for somebody else. Skills that search for miners name them in lists of patterns, which is no finding.",
  words: [
    "xmrig",
    "stratum",
    "minerd",
    "cpuminer",
    "coinhive",
    "cryptonight",
    "ethminer",
    "nbminer",
    "t-rex",
    "phoenixminer",
    "randomx",
    "minexmr",
    "nanopool",
    "supportxmr",
    "moneroocean",
    "nicehash",
    "2miners",
    "f2pool",
    "hashvault",
    "donate-level",
  ],
  look: (line) => {
    if (
      !line.isCode &&
      line.zone !== "config" &&
      !/\b(?:run|start|download|install|launch|execute)\b/.test(line.text)
    )
      return undefined;
    const at = line.text.search(MINER);
    if (
      at === -1 ||
      isShown(line, at) ||
      /\b(?:pgrep|pkill|kill|ps aux|grep|detect|block)\b/.test(line.text)
    )
      return undefined;
    const runs = line.isCode || /https?:\/\/|stratum/.test(line.around(2, 2));
    return runs ? { message: "It has to do with a miner", severity: severityOf(line) } : undefined;
  },
};

export const keylogger: ScanCheck = {
  id: "keylogger",
  severity: "high",
  category: "remote-code",
  summary: "Keys or the clipboard are recorded all the time.",
  explanation:
    "Everything a person types includes passwords. A skill for shortcuts asks for single keys; a recording of all of them that is stored or sent is spying.",
  words: [
    "pynput",
    "keyboard.",
    "pyxhook",
    "getasynckeystate",
    "setwindowshookex",
    "iohook",
    "key-listener",
    "cgeventtap",
    "/dev/input",
    "xinput",
    "pyperclip",
    "pbpaste",
    "get-clipboard",
    "xclip",
  ],
  look: (line) => {
    const clips = CLIPBOARD.test(line.text);
    if ((!clips && !KEYS.test(line.text)) || !line.isCode || isShown(line, 0)) return undefined;
    const whole = line.around(40, 60);
    const sends =
      line.file.skill.sends.some(({ line: other }) => other.file === line.file) ||
      /requests\.post|fetch\(|\bcurl\b|smtplib|sendall|axios\.post|urlopen/.test(whole);
    const stores =
      /open\([^\n]{0,60}["'](?:a|w|ab|wb)["']|logging\.basicconfig|appendfile|writefile|>>/.test(
        whole,
      );
    if (!clips && !/hotkey|shortcut|globalhotkeys/.test(whole)) {
      if (sends)
        return {
          message: "It records keys and sends them",
          severity: line.zone === "code" ? "critical" : "high",
        };
      return stores ? { message: "It records keys into a file" } : undefined;
    }
    const loops = /while\s+(?:true|1|:)|setinterval|while\s*\(true\)/.test(whole);
    if (
      clips &&
      loops &&
      (sends ||
        /0x[a-f0-9]{40}|\b(?:bc1|[13])[a-km-z1-9]{25,}|pyperclip\.copy[^\n]{0,60}(?:wallet|address)/.test(
          whole,
        ))
    )
      return { message: "It watches the clipboard" };
    return undefined;
  },
};

function isShown(line: ScanLine, at: number): boolean {
  if (line.file.kind === "prose") return line.zone !== "comment" && isTaught(line);
  if (isExample(line)) return true;
  return (
    (isPattern(line) && /re\.|\\|\(\?|pattern|severity|rule|regex|grep/i.test(line.raw)) ||
    isMessage(line, at)
  );
}

function severityOf(line: ScanLine): "medium" | "critical" {
  return line.quotesAttacks ? "medium" : "critical";
}
