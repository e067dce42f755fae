import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SkillRecord } from "@skillwright/core";
import { visibleLine } from "@skillwright/core/internal";
import { CHAT_COMMANDS, chatCommand } from "./chat-commands.ts";

/** What may replace the text between `from` and the cursor. */
export interface Completion {
  readonly from: number;
  readonly candidates: readonly Candidate[];
}

export interface Candidate {
  readonly value: string;
  readonly description?: string;
}

export interface CompletionPlace {
  /** Skills that no one may call are left out. */
  readonly skills: () => readonly SkillRecord[];
  /** Ids of conversations, with what each is about. */
  readonly conversations: () => readonly Candidate[];
  /** Where paths begin. */
  readonly folder: string;
}

const MAX_ENTRIES = 200;
const PATH_WORD = /(?:^|\s)(@?)([^\s@]*)$/;

/** Commands and skills behind a slash, files behind `@`, behind `/file`, and for a word with a slash in it. */
export function completeChat(text: string, place: CompletionPlace): Completion | undefined {
  const [, command, argument = ""] = /^\s*\/(\S*)\s+(\S*)$/.exec(text) ?? [];
  if (command !== undefined) {
    const known = chatCommand(command)?.name;
    const from = text.length - argument.length;
    if (known === "why") return { from, candidates: skillNames(argument, place) };
    if (known === "resume") return { from, candidates: beginning(argument, place.conversations()) };
    if (known === "file") return { from, candidates: paths(argument, place.folder) };
  }
  const [, word] = /^\s*\/([^\s/]*)$/.exec(text) ?? [];
  if (word !== undefined) {
    return { from: text.length - word.length - 1, candidates: calls(word, place) };
  }
  const [, at = "", path = ""] = PATH_WORD.exec(text) ?? [];
  if (at === "" && !path.includes("/")) return undefined;
  return { from: text.length - path.length, candidates: paths(path, place.folder) };
}

function calls(word: string, place: CompletionPlace): readonly Candidate[] {
  const wanted = word.toLowerCase();
  const commands = CHAT_COMMANDS.filter(({ name }) => name.startsWith(wanted)).map(
    ({ name, description }) => ({ value: `/${name}`, description }),
  );
  const skills = place.skills().filter((skill) => {
    const isCallable = skill.userInvocable && skill.enabled && skill.trusted;
    return isCallable && skill.name.toLowerCase().startsWith(wanted);
  });
  return [
    ...commands,
    ...skills.map(({ name, source, description }) => ({
      // One that a command hides is called with its source.
      value: chatCommand(name) === undefined ? `/${name}` : `/${name}@${source}`,
      description,
    })),
  ];
}

function skillNames(word: string, place: CompletionPlace): readonly Candidate[] {
  return beginning(
    word,
    place.skills().map(({ name, description }) => ({ value: name, description })),
  );
}

function beginning(word: string, candidates: readonly Candidate[]): readonly Candidate[] {
  const wanted = word.toLowerCase();
  return candidates.filter(({ value }) => value.toLowerCase().startsWith(wanted));
}

/** Below the folder only: what is outside cannot be given with a message. */
function paths(path: string, folder: string): readonly Candidate[] {
  if (path.startsWith("/") || path.split("/").includes("..")) return [];
  const within = path.endsWith("/") ? path : path.includes("/") ? `${dirname(path)}/` : "";
  const begun = path.slice(within.length);
  try {
    return (
      readdirSync(join(folder, within), { withFileTypes: true })
        .filter(
          ({ name }) => name.startsWith(begun) && (begun.startsWith(".") || !name.startsWith(".")),
        )
        // Skips names that need quotes, and hidden ones.
        .filter(({ name }) => !/\s/.test(name) && visibleLine(name) === name)
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .slice(0, MAX_ENTRIES)
        .map((entry) => ({ value: `${within}${entry.name}${entry.isDirectory() ? "/" : ""}` }))
    );
  } catch {
    return [];
  }
}
