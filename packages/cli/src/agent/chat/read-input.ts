import { type Skills } from "@skillwright/core";
import { nearNames } from "@skillwright/core/internal";
import { CHAT_COMMANDS, chatCommand, type ChatCommandName } from "./chat-commands.ts";

/** What a person typed, understood. */
export type ChatInput =
  | { readonly kind: "nothing" }
  | { readonly kind: "message"; readonly text: string }
  | {
      readonly kind: "command";
      readonly name: ChatCommandName;
      readonly rest: string;
      /** The skill of the same name, and how it is called. */
      readonly hidden?: string;
    }
  | { readonly kind: "unknown"; readonly word: string; readonly near: readonly string[] };

type Known = Pick<Skills, "all" | "get">;

/** As the runtime reads a call of a skill; names may have a namespace and a source. */
const CALL = /^\/([^\s/]+(?:\/[^\s/]+)?)(?:\s+([^]*))?$/;
/** `/etc/hosts is …` is not a call. */
const NAME = /^[\p{L}\p{N}_.-]+(?:@[\p{L}\p{N}_.-]*)?$/u;

/** A command of the chat comes before a skill of its name, which can be called with its source. */
export function readInput(typed: string, skills: Known): ChatInput {
  const text = typed.trim();
  if (text === "") return { kind: "nothing" };
  const match = CALL.exec(text);
  if (match === null) return { kind: "message", text };
  const [, word = "", rest = ""] = match;
  const command = chatCommand(word);
  const skill = skills.get(word);
  if (command !== undefined) {
    const hidden = skill && { hidden: `/${skill.name}@${skill.source}` };
    return { kind: "command", name: command.name, rest: rest.trim(), ...hidden };
  }
  if (skill !== undefined || !NAME.test(word)) return { kind: "message", text };
  // The runtime says what there is from other sources.
  if (word.includes("@") && skills.get(word.replace(/@.*$/, "")) !== undefined) {
    return { kind: "message", text };
  }
  return { kind: "unknown", word, near: nearWords(word, skills) };
}

const MAX_NEAR = 5;

/** Near in letters, or beginning the same. */
function nearWords(word: string, { all }: Known): string[] {
  const callable = all.filter((skill) => skill.userInvocable && skill.enabled && skill.trusted);
  const names = [...CHAT_COMMANDS.map(({ name }) => name), ...callable.map(({ name }) => name)];
  const wanted = word.toLowerCase();
  const begun = names.filter((name) => wanted.length > 1 && name.toLowerCase().startsWith(wanted));
  const near = nearNames(word, names, MAX_NEAR);
  return [...new Set([...begun, ...near])].slice(0, MAX_NEAR).map((name) => `/${name}`);
}
