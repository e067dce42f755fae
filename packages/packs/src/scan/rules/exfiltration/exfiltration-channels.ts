import { isForbidden, isMessage, isPattern, isTaught } from "../../context/teaching-context.ts";
import { isOminousHost, targetsOf } from "../../facts/hosts.ts";
import { secretOf } from "../../facts/secret-places.ts";
import type { ScanLine } from "../../context/scan-line.ts";
import { foldText } from "../../text/fold-character.ts";
import type { PlacedSuspicion, ScanCheck } from "../../scan-check.ts";

const DNS =
  /(?:(?<![\w-])(?:dig|nslookup|ping|drill|resolve-dnsname)|(?<=^|[;&|(`]\s{0,3})host)\b[^\n|;]{0,80}(?:[$]\(|[$]\{?\w+\}?\.|`)[^\n]{0,120}\.\w|(?:gethostbyname|getaddrinfo|resolve4?|lookup|resolver\.resolve|dns\.resolve\w*)\(\s*(?:f["'][^"'\n]{0,60}\{[^}\n]{1,60}\}\.|[`][^`\n]{0,60}\$\{[^}\n]{1,60}\}\.|\w{1,30}\s*\+\s*["']\.)/;

const LOOKUP =
  /(?:gethostbyname(?:_ex)?|getaddrinfo|resolve(?:4|6|txt|any)?|lookup|resolver\.(?:resolve|query)|getaddress(?:es)?)\(([^\n]{1,200})|(?<![\w-])(?:nslookup|dig|resolve-dnsname|drill)["']?[\s,](?:["']?[+-]\w{1,20}["']?[\s,]{1,3}){0,4}([^\n]{1,200})/;
const DOMAIN = String.raw`["'\x60][^"'\x60\n]{0,40}\.[\w-]{1,63}\.?\w{2,}`;
/** A name with a domain in it and something that is put in front. */
const MADE = new RegExp(
  String.raw`\+\s*${DOMAIN}|${DOMAIN}["'\x60]\s*(?:%|\.format\()|f["'][^"'\n]{0,80}\{[^"'\n]{1,120}\.\w|[$]\{[^}\n]{1,60}\}[^\s"'\x60]{0,40}\.\w|[$]\w{1,40}[^\s"'\x60]{0,40}\.\w|\.join\([^\n]{0,80}${DOMAIN}`,
);

export const dnsExfiltration: ScanCheck = {
  id: "dns-exfiltration",
  severity: "high",
  category: "exfiltration",
  summary: "Data is put into host names that are looked up.",
  explanation:
    "A look-up of `<data>.host` hands the data to whoever runs the name server, past most network rules. Programs look up names they were given; they do not compute them from files or variables.",
  words: [
    "dig ",
    "nslookup",
    "host ",
    "ping ",
    "drill ",
    "resolve",
    "gethostbyname",
    "getaddrinfo",
    "lookup(",
    "dig,",
    "getaddress",
  ],
  look: (line) => {
    const at = line.text.search(DNS);
    if (at === -1 && line.zone === "code" && !isPattern(line)) return lookForKeys(line);
    if (at === -1 || !line.isCode || isTaught(line) || isMessage(line, at)) return undefined;
    const near = line.around(8, 2);
    const carries =
      /base64|b64|xxd|hex|whoami|hostname\b.{0,20}\)|environ|process\.env|secret|token|cat\s|\bkey\b|credential|chunk|encode|passw/.test(
        near,
      ) || secretsNear(line);
    const shell =
      line.language === "shell" ||
      line.language === "powershell" ||
      /system\(|subprocess|exec|popen|spawn|gethostbyname|getaddrinfo|resolve|lookup/.test(
        line.text,
      );
    if (!carries || !(shell || line.zone === "fence")) return undefined;
    return {
      message: "It looks up a host name that is made of data",
      severity: line.quotesAttacks ? "medium" : "high",
    };
  },
};

/** In a script that reads keys, names that are made of anything. */
function lookForKeys(line: ScanLine) {
  const read = line.file.skill.secrets.find(
    (secret) => secret.line.file === line.file && secret.strength === "strong",
  );
  if (read === undefined || !isMadeName(line)) return undefined;
  return {
    message: `It reads ${read.what} and looks up host names that it makes`,
    severity: "high",
  } as const;
}

/** A key that is used to log in is not what is looked up. */
function secretsNear(line: ScanLine): boolean {
  return line.file.skill.secrets.some(
    (secret) =>
      secret.line.file === line.file &&
      secret.line.index <= line.index + 2 &&
      secret.line.index >= line.index - 8,
  );
}

/** The argument itself, or the line above that made the variable. */
function isMadeName(line: ScanLine): boolean {
  const call = LOOKUP.exec(line.text);
  if (call === null || isMessage(line, call.index)) return false;
  const argument = call[1] ?? call[2] ?? "";
  if (MADE.test(argument)) return true;
  const name = /^\s*["']?[$]?\{?(\w{1,40})\b/.exec(argument)?.[1];
  if (name === undefined) return false;
  const made = new RegExp(`\\b${name}\\s*=`);
  for (let index = line.index - 1; index >= Math.max(0, line.index - 6); index--) {
    const above = foldText(line.file.rawLine(index).slice(0, 400));
    if (made.test(above) && MADE.test(above)) return true;
  }
  return false;
}

const IMAGE =
  /!\[[^\]\n]{0,200}\]\(\s*(https?:\/\/[^)\s]{1,300}[^)\n]{0,200})\)|<img[^>]{0,120}src\s*=\s*["'](https?:\/\/[^"'\n]{1,300})/;
const VALUE =
  /[?&/=][^)\s]{0,80}(?:\{\{?|\$\{?|<|\[|%s|\+)\s?[^)\n]{0,60}(?:secret|token|key|env|password|credential|conversation|history|chat|session|memory|context|summary|contents?|data|prompt|message|user|email|base64|b64|encoded|file)/;

export const imageExfiltration: ScanCheck = {
  id: "image-exfiltration",
  severity: "high",
  category: "exfiltration",
  summary: "An image address has a place for data of the user or the conversation.",
  explanation:
    "A client that shows the image requests the address, and the data in it arrives at the host without any tool call. Images of a skill have fixed addresses.",
  words: ["![", "<img"],
  look: (line) => {
    const match = IMAGE.exec(line.text);
    const url = match?.[1] ?? match?.[2] ?? "";
    if (match === null || !VALUE.test(url)) return undefined;
    if (line.zone === "code" || line.zone === "config" || isTaught(line)) return undefined;
    const near = line.around(4, 3);
    if (isForbidden(line, match.index)) return undefined;
    const told =
      /\b(?:secret|credential|api key|token|password|conversation|history|environment|session|memory|everything the user|user'?s (?:message|data|question|input)|private|encode\w*|base64|personal|summary of)\b/.test(
        near.replace(url, ""),
      );
    const ominous = targetsOf(url).some(({ host }) => isOminousHost(host));
    if (!told && !ominous) return undefined;
    return {
      message: "An image address carries data to its host",
      severity: line.quotesAttacks ? "medium" : "high",
    };
  },
};

const PLACEHOLDER =
  /(?:\/|=)(?:["'`]?[<{[]|[$]\{?[a-z_]|your|my[-_]|x{3,}|0{4,}|1234|abc-?123|\.\.\.|…|uuid\b|id\b|unique|token\b|path\b|example|placeholder)/;
/** Whose loss would hurt, as opposed to a sample that a lesson sends. */
const USERS_OWN =
  /[$]\((?!date\b|uuidgen|jq -n|echo|printf)|\x60[a-z]|\benviron\b|process\.env\b(?![.[])|@\s?["']?(?:~|[$]|\/(?!tmp\/)|\.\.\/\.\.|[\w./-]{0,40}\.(?:env|pem|key|sqlite|db|kdbx)\b)|\|\s*curl|\bwhoami\b|\bhostname\b|\bconversation\b|\btranscript|\bsecrets?\b|\bcredential|-t\s+["']?[~$/]|=@["']?[~$/]|id_rsa|\.ssh|\.aws/;

export const captureService: ScanCheck = {
  id: "capture-service",
  severity: "high",
  category: "exfiltration",
  summary:
    "Data is sent to a service that keeps whatever anybody sends, or to a bot whose address is fixed.",
  explanation:
    "Request catchers, paste services, tunnels and bot addresses let anybody collect data without a name. A skill that notifies its user takes the address from the user's configuration.",
  *conclude(skill): Iterable<PlacedSuspicion> {
    for (const use of skill.sends) {
      if (!use.isCapture) continue;
      const near = use.line.around(12, 6);
      const carries =
        /environ\b|process\.env\b|[$]\(|@[~$\w./-]{2,}|\bopen\(|read_text|readfile|hostname|whoami|getuser|homedir|expanduser|-f\s|--upload-file|\s-t\s|\bconversation|\btranscript|history|memory|platform\.node|getpass|payload|files\s*=|imagegrab|screencapture|screenshot/.test(
          near,
        );
      const script = use.line.zone === "code";
      const fixed =
        !/environ(?:\.get)?[[(]["'](?:\w*webhook|\w*bot|telegram|discord|slack)|process\.env\.(?:\w*webhook|\w*bot|telegram|discord|slack)|[$]\{?(?:\w*webhook|\w*bot_?token|telegram|discord|slack)/.test(
          near,
        );
      if (!fixed || (!script && !carries)) continue;
      const isLesson =
        !script &&
        !USERS_OWN.test(use.line.text) &&
        (PLACEHOLDER.test(addressOf(use.line.text)) || SAMPLE.test(use.line.text));
      const severity =
        (use.line.quotesAttacks && !script) || isLesson || !carries ? "medium" : "high";
      yield {
        line: use.line,
        severity,
        message: `It sends to ${use.hosts[0] ?? "a fixed bot"}, which keeps what anybody sends`,
      };
    }
  },
};

const SAMPLE =
  /@\s?["']?(?:\.\/)?[\w./-]{0,60}(?:sample|example|test|payload|event|fixture|mock|dummy|body|request|hello|demo)[\w-]{0,30}\.\w{2,5}\b/;

function addressOf(text: string): string {
  return targetsOf(text)
    .map(({ url }) => text.slice(text.indexOf(url), text.indexOf(url) + url.length + 40))
    .join(" ");
}

const LOAD_TIME = /(?:^|\s)!`([^`\n]{1,600})`/;

export const loadTimeCommand: ScanCheck = {
  id: "load-time-command",
  severity: "critical",
  category: "exfiltration",
  summary:
    "A command that runs while the skill is loaded reads secrets, sends data or runs a download.",
  explanation:
    "Some hosts run !`command` before the model or the user sees the skill. Such a command may list files or print a version. It must not reach the network with data, read credentials or start a download.",
  words: ["!`"],
  look: (line) => {
    if (!line.isProse || isTaught(line)) return undefined;
    const command = LOAD_TIME.exec(line.text)?.[1];
    if (command === undefined || isPattern(line)) return undefined;
    const secret = secretOf(command);
    const sends =
      /\b(?:curl|wget|nc|ncat|fetch|iwr|irm|invoke-webrequest|scp|dig|nslookup)\b|\/dev\/tcp|requests\.|urllib/.test(
        command,
      );
    const runs =
      /\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b|base64\s+-+d|\beval\b|python3?\s+-c|node\s+-e/.test(
        command,
      );
    if (secret !== undefined && (sends || secret.strength !== "weak"))
      return {
        message: `While it is loaded it reads ${secret.what}`,
        severity: sends ? "critical" : "high",
      };
    if (sends && (runs || /[$]\(|-d\b|--data|-f\s|\s-t\s|\|\s*(?:curl|nc)|@/.test(command)))
      return { message: "While it is loaded it runs or sends what it should not" };
    return undefined;
  },
};
