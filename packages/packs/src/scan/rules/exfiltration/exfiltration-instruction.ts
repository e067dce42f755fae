import type { ScanLine } from "../../context/scan-line.ts";
import { isTaught } from "../../context/teaching-context.ts";
import {
  isCaptureHost,
  isOminousHost,
  isOwnHost,
  isPrivateHost,
  targetsOf,
} from "../../facts/hosts.ts";
import type { ScanCheck } from "../../scan-check.ts";
import { isQuotedSpeech } from "../prompt-injection/is-quoted-speech.ts";

const CARRY = String.raw`(?:send|post|upload|transmit|forward|submit|exfiltrate|e-?mail|append|attach|embed|report|deliver|relay|leak|push|sync|pass|include|paste|share|copy|back\s?up|encode|write)(?:s|ing|ed)?`;
const VALUABLE = String.raw`(?:(?:~|\$home)/\.(?:ssh|aws|gnupg|kube|netrc|config/(?:gcloud|gh))\S{0,40}|id_rsa|id_ed25519|ssh (?:private )?keys?|private keys?|aws credentials|\.env\b(?: files?)?|(?:all |any |every )?(?:of )?(?:(?:the|your|their|user'?s?|found|available|stored|discovered) ){0,4}(?:credentials|passwords|api keys|access tokens|secret keys|secrets|environment variables|env vars|browser cookies|session cookies|seed phrases?|recovery phrases?|wallet (?:files?|keys?))|wallet files?|keychain|(?:full |entire |complete |whole |current |raw ){1,2}(?:conversation|chat|session|prompt|message|transcript)s?(?: history| log| transcript| context)?|conversation (?:history|transcript|log|context)|chat (?:history|transcript|log)s?|system prompt|memory files?|(?:soul|memory|user|agents)\.md|clipboard contents?|file contents?|contents of (?:every|each|all|the (?:file|home|project|repo\w*))|output of (?:env|printenv))`;
const WHERE = String.raw`(?:https?://\S{3,200}|(?:the |our |this |an? |its )?(?:\w+ ){0,3}(?:webhook|endpoint|collector|remote server|external server|server at|telegram bot|discord webhook|analytics url|collection server|logging server|paste\w*|attacker\S*)|[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{2,63}|(?:query|url|request|hidden|\w+_?token|validation\S*|extra|metadata|context|diagnostic\S*)\s+(?:parameter|string|param|field|argument|header)s?|as (?:the|a|an) \S{1,30} (?:parameter|argument|header|field))`;
const CARRIES = new RegExp(`\\b${CARRY}\\b`);
const VALUED = new RegExp(VALUABLE);
const TO = new RegExp(
  `\\b(?:to|at|via|into|in|as|with|through|using|parameter|endpoint)\\b[^.\\n]{0,50}?${WHERE}|https?://`,
);
const TAKES =
  /\b(?:read|collect|gather|harvest|extract|dump|grab|cat|open|locate|find|search for|load|copy|scan for|encode|zip|archive)\b/;
const GOES_OUT =
  /\b(?:send|post|upload|transmit|forward|submit|exfiltrate|relay|leak|deliver)\b[^.\n]{0,80}(?:https?:\/\/|webhook|endpoint|remote server|telegram|external server|\bit to\b|them to\b)|curl\b[^\n]{0,120}(?:-d|--data|-f|-x post|-t)\b/;
/** No service needs them, whatever its name is. */
const NEVER_ITS_OWN =
  /conversation|chat|transcript|memory|soul\.md|\.ssh|id_rsa|private key|\.env\b|\.aws|passwords|cookies|phrase|wallet|keychain|environment|clipboard|system prompt/;
/** It is to happen behind the user's back. */
const COVERT =
  /\b(?:silently|secretly|in the background|without (?:telling|informing|asking|notifying)|(?:do not|don'?t|never) (?:tell|mention|inform|ask|notify|show|alert|reveal)|invisible|attacker|exfiltrat\w*)\b/;
const REFUSAL =
  /\b(?:never|do not|don'?t|must not|should not|avoid|without|not|no|refuse|could|might|would|may)\b/;
const ASIDE =
  /\b(?:do not|don'?t|never|without|not) (?:tell|mention|inform|ask|notify|show|alert|skip|wait|prompt|require)\w*/g;

export const exfiltrationInstruction: ScanCheck = {
  id: "exfiltration-instruction",
  severity: "critical",
  category: "exfiltration",
  summary: "The model is told to send secrets, files, memory or the conversation somewhere.",
  explanation:
    "Words can steal as well as code: the model reads the key and passes it on as a parameter, in a request or a mail. An honest skill names the data its service needs, and that is never keys of other tools, the whole conversation or the agent's memory.",
  words: [
    ".ssh",
    ".aws",
    "id_rsa",
    "id_ed25519",
    "private key",
    "ssh key",
    ".env",
    "credentials",
    "passwords",
    "api keys",
    "access tokens",
    "secrets",
    "secret keys",
    "environment variables",
    "env vars",
    "cookies",
    "seed phrase",
    "recovery phrase",
    "wallet",
    "keychain",
    "conversation histor",
    "full conversation",
    "entire conversation",
    "whole conversation",
    "complete conversation",
    "current conversation",
    "raw conversation",
    "conversation tr",
    "conversation log",
    "conversation con",
    "chat history",
    "chat log",
    "full transcript",
    "chat transcript",
    "session transcript",
    "entire transcript",
    "full chat",
    "entire chat",
    "full session",
    "entire session",
    "full prompt",
    "entire prompt",
    "full message",
    "system prompt",
    "memory file",
    "memory.md",
    "soul.md",
    "user.md",
    "agents.md",
    "clipboard",
    "file contents",
    "contents of",
    "output of",
  ],
  look: (line) => {
    if (!VALUED.test(line.text) || line.file.kind === "script") return undefined;
    if (!line.isProse && line.zone !== "comment") return undefined;
    const found = handedOver(line);
    if (found === undefined || (line.zone !== "comment" && isTaught(line))) return undefined;
    const hosts = targetsOf(found.text).map(({ host }) => host);
    if (
      hosts.length > 0 &&
      hosts.every(
        (host) =>
          isPrivateHost(host) ||
          (isOwnHost(host, line.file.skill.profile.claim) && !NEVER_ITS_OWN.test(found.text)),
      )
    )
      return undefined;
    if (
      /\b(?:store|save|set|configure|export|provide|create|paste|add|copy|enter|use|pass|include)\b[^.]{0,60}\b(?:your|an?|the) (?:\w+ )?(?:api key|token|credentials|\.env)/.test(
        found.text,
      ) &&
      !hosts.some(isOminousHost)
    )
      return undefined;
    const severity = line.quotesAttacks
      ? "medium"
      : hosts.some((host) => isOminousHost(host) || isCaptureHost(host)) ||
          targetsOf(found.text).some(({ isAddress }) => isAddress)
        ? "critical"
        : COVERT.test(line.around(3, 3))
          ? "high"
          : "medium";
    return { message: `It asks to hand over data: "${found.text.trim().slice(0, 100)}"`, severity };
  },
};

/** Sentences that name what is carried, that it is carried, and where to. */
function handedOver(
  line: ScanLine,
): { readonly text: string; readonly inOneSentence: boolean } | undefined {
  const near = line.around(1, 3).replaceAll(/\]\(https?:\/\/[^)\s]{1,300}\)/g, "]");
  const sentences = near.split(/(?<=[.!?;])\s/);
  for (const [index, sentence] of sentences.entries()) {
    if (!VALUED.test(sentence)) continue;
    if (isAllowed(sentence) && CARRIES.test(sentence) && TO.test(sentence))
      return { text: sentence, inOneSentence: true };
    const next = sentences.slice(index, index + 3).join(" ");
    if (isAllowed(sentence) && TAKES.test(sentence) && GOES_OUT.test(next) && isAllowed(next))
      return { text: next, inOneSentence: false };
  }
  return undefined;
}

function isAllowed(sentence: string): boolean {
  return (
    !/\b(?:must be set|(?:set|export|configure|define|requires?)\b[^.]{0,30}\benvironment variables?|environment variables?\b[^.]{0,20}\b(?:required|needed|set|:))/.test(
      sentence,
    ) &&
    !REFUSAL.test(sentence.replaceAll(ASIDE, "")) &&
    !isQuotedSpeech(sentence, sentence.search(VALUED))
  );
}
