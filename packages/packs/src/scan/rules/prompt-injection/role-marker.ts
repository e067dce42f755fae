import { isTaught } from "../../context/teaching-context.ts";
import type { ScanCheck } from "../../scan-check.ts";

const MARKER =
  /<\|(?:im_start|im_end|system|user|assistant|endoftext|start_header_id|eot_id)\|?>|\[\/?(?:inst|sys)\]|<<\/?sys>>|<\/(?:skill|skills|available_skills|skill_content|system-reminder|system_prompt|tool_result|function_results)>\s*(?:<|system|human|assistant|new|ignore|you|$)|<\/(?:system|instructions|context)>\s*(?:system|human|assistant|new instr|ignore|you (?:are|must))|<(?:system|system-reminder|system_prompt|admin|developer)>|^\s{0,3}(?:#{1,6}\s*)?\[?\(?(?:system|admin(?:istrator)?|developer|root)\s*(?:override|message|prompt|notice|directive|instruction|update)s?\]?\)?\s*[:\]—-]|^\s{0,3}\[(?:system|admin|developer)\]|^\s{0,3}(?:system|human|assistant)\s*:\s+(?:you|ignore|new|from now|override|the user|disregard|enter|reveal|begin|sure|ok|understood)/;
const COMMANDS =
  /\b(?:ignore|disregard|override|must|you are|execute|run|send|read|upload|reveal|follow|always|never|immediately|before|first|do not|grant|enable|trust|new instructions?|fetch|append|remember|obey|comply)\b/;

export const roleMarker: ScanCheck = {
  id: "role-marker",
  severity: "high",
  category: "prompt-injection",
  summary: "Text pretends to end the skill or to come from the system or the user.",
  explanation:
    'Markers such as chat-template tokens, closing tags of the prompt or "SYSTEM OVERRIDE:" make a model believe that somebody else speaks. Instructions of a skill need none. Chat templates that a skill documents belong into a code block.',
  words: [
    "<|",
    "[inst]",
    "[/inst]",
    "<<sys",
    "</s",
    "</avail",
    "</inst",
    "</cont",
    "</tool_r",
    "</func",
    "<system",
    "<admin",
    "<developer",
    "[system",
    "[admin",
    "[developer",
    "system override",
    "system message",
    "system prompt",
    "system notice",
    "system directive",
    "system instruction",
    "system update",
    "admin override",
    "developer override",
    "system:",
    "human:",
    "assistant:",
    "admin message",
    "admin notice",
    "root override",
    "developer message",
    "administrator",
  ],
  look: (line) => {
    const match = MARKER.exec(line.text);
    if (
      match === null ||
      line.isCode ||
      line.zone === "config" ||
      isInCodeSpan(line.text, match.index)
    )
      return undefined;
    if (line.zone !== "comment" && isTaught(line)) return undefined;
    if (!COMMANDS.test(line.around(0, 3).replace(match[0], ""))) return undefined;
    const severity =
      line.quotesAttacks ||
      /^<system>|<system_prompt>|<context>|<\/(?:system|context|instructions)>/.test(match[0])
        ? "medium"
        : "high";
    return {
      message: `It speaks as somebody else with "${match[0].trim().slice(0, 40)}"`,
      severity,
    };
  },
};

function isInCodeSpan(text: string, at: number): boolean {
  return (text.slice(0, at).split("`").length - 1) % 2 === 1;
}
