import { displayWidth, visibleLine } from "@skillwright/core/internal";
import type { ApprovalDecision, ApprovalRequest, Approver, AskContext } from "@skillwright/runtime";
import { approvalChoices, approvalFacts, isAboutChanges } from "@skillwright/runtime/internal";
import type { TrustAnswer, TrustQuestion } from "@skillwright/app";
import { CommandFailure, EXIT } from "../exit-code.ts";
import type { Asking } from "../terminal/asking.ts";
import { shownApproval } from "./shown-approval.ts";

/** What the prompt puts before a question. */
const QUESTION_MARGIN = 4;
const BELOW_QUESTION = "\n   ";
const YES = { approved: true, by: "person" } as const;

/**
 * Asks the person at the terminal: the facts in a few lines, everything else on demand. Who walks away has
 * not answered where that can be told to somebody, who then ends the work; elsewhere it is a no.
 */
export function createTerminalApprover(console: Asking, onWalkAway?: () => void): Approver {
  return {
    async ask(request, { signal, source }) {
      const { text, isCut } = approvalFacts(request, console.screenSize.columns - 1);
      console.note(text);
      const answers = new Answers(request, { isCut, source });
      for (;;) {
        const question = answers.question(console.screenSize.columns - QUESTION_MARGIN);
        const answer = await console.askText(question, signal);
        if (answer === undefined) {
          if (onWalkAway !== undefined) {
            onWalkAway();
            signal?.throwIfAborted();
          }
          return refusal();
        }
        const read = answers.read(answer);
        if (typeof read === "object") return read;
        if (read === "more") {
          const chosen = await chooseMore(request, answers.isShown, console, signal);
          if (chosen !== undefined) return chosen;
        } else if (read === "view") console.note(shownApproval(request, console, answers.view()));
        else if (read === "diff") console.note(shownApproval(request, console));
        else console.note(read.slice(1));
      }
    },
  };
}

/** What a person may answer to a request. */
class Answers {
  /** Whether all of the source and of the facts could be read. */
  isShown: boolean;
  readonly #request: ApprovalRequest;
  readonly #isCut: boolean;
  readonly #source: AskContext["source"];
  /** What a script changed, where that is what is asked about. */
  readonly #files: readonly string[] | undefined;

  constructor(
    request: ApprovalRequest,
    { isCut, source }: { readonly isCut: boolean; readonly source: AskContext["source"] },
  ) {
    this.#request = request;
    this.#isCut = isCut;
    this.#source = source;
    this.isShown = request.script === undefined && !isCut;
    this.#files = isAboutChanges(request) ? request.writable : undefined;
  }

  /** In lines of at most so many columns, where no answer is broken. */
  question(width: number): string {
    const { tool, script, preview, kind, scopes } = this.#request;
    const keys = [
      "y yes",
      "n no",
      "n because …",
      ...((this.#files?.length ?? 0) > 1 ? ["s some"] : []),
      ...(scopes.includes("run") ? [kind === undefined ? "a again" : "a all"] : []),
      ...(script === undefined && !this.#isCut ? [] : ["v view"]),
      ...(preview.diff === undefined ? [] : ["d diff"]),
      ...(scopes.includes("skill") ? ["m more"] : []),
    ];
    const what = this.#files === undefined ? `Allow ${visibleLine(tool)}?` : "Keep the changes?";
    const lines = [what];
    for (const [index, key] of keys.entries()) {
      const word = index === keys.length - 1 ? key : `${key},`;
      const longer = `${lines.at(-1)} ${word}`;
      if (displayWidth(longer) <= width) lines[lines.length - 1] = longer;
      else lines.push(word);
    }
    return lines.join(BELOW_QUESTION);
  }

  /** All of the script, which counts as read from here on. */
  view(): string | undefined {
    this.isShown = true;
    return this.#source?.();
  }

  /** A decision, something to show, or `!` and why the answer does not count. */
  read(answer: string): ApprovalDecision | "view" | "diff" | "more" | `!${string}` {
    const { kind, scopes, script, preview } = this.#request;
    const [, key = "", rest = ""] = /^(\S*)\s*([^]*)$/.exec(answer) ?? [];
    const letter = key.toLowerCase().replace(/[,:]$/, "");
    if (letter === "" || letter === "n" || letter === "no") {
      return refusal(rest.replace(/^because\s+/i, ""));
    }
    if (letter === "s" && this.#files !== undefined) return some(this.#files, rest);
    if (rest !== "") return "!Answer with one letter, or with n and a reason.";
    if (letter === "y" || letter === "yes") {
      const mustView = this.#isCut && !this.isShown;
      return mustView ? "!Not all of it fits here. View it first: v" : { ...YES, scope: "once" };
    }
    if (letter === "a" && scopes.includes("run")) {
      if (!this.isShown) return "!That covers more than this call. View all of it first: v";
      return { ...YES, scope: "run", ...(kind !== undefined && { allOfKind: true }) };
    }
    if (letter === "v" && (script !== undefined || this.#isCut)) return "view";
    if (letter === "d" && preview.diff !== undefined) return "diff";
    if (letter === "m" && scopes.includes("skill")) return "more";
    return "!That is not one of the answers.";
  }
}

/** The files that are named, and all in folders that are. */
function some(files: readonly string[], named: string): ApprovalDecision | `!${string}` {
  const isFile = files.includes(named);
  const names = isFile ? [named] : named.split(/[\s,]+/).filter((name) => name !== "");
  if (names.length === 0) return "!Name the files or folders to keep behind it: s notes.md out";
  const isIn = (file: string, name: string) =>
    file === name || file.startsWith(name.endsWith("/") ? name : `${name}/`);
  const unknown = names.find((name) => !files.some((file) => isIn(file, name)));
  if (unknown !== undefined) return `!No change of ${visibleLine(unknown)} is among them.`;
  const only = files.filter((file) => names.some((name) => isIn(file, name)));
  return { ...YES, scope: "once", only };
}

function refusal(reason = ""): ApprovalDecision {
  const no = { approved: false, scope: "once", by: "person" } as const;
  return reason === "" ? no : { ...no, reason };
}

/** Every answer there is, by what it covers. Undefined goes back to the question. */
async function chooseMore(
  request: ApprovalRequest,
  isShown: boolean,
  console: Asking,
  signal: AbortSignal | undefined,
): Promise<ApprovalDecision | undefined> {
  const choices = approvalChoices(request, { isShown });
  const answer = await console.choose(
    {
      message: `Allow ${visibleLine(request.tool)}?`,
      choices: choices.map(({ id, label }) => ({ value: id, label })),
      initial: "deny",
    },
    signal,
  );
  return choices.find(({ id }) => id === answer)?.decision;
}

/** Asks once whether the skills of this project are trusted. */
export async function askForTrust(
  { count, folder, from, names }: TrustQuestion,
  console: Asking,
): Promise<TrustAnswer> {
  console.note(console.noteColors.bold(`This project has ${count} not trusted yet.`));
  console.note(`  folder  ${folder}`);
  for (const root of from) console.note(`  from    ${root}`);
  console.note(`  skills  ${names}`);
  console.note(
    "A skill is text that a model follows, and may bring scripts. Look before you trust.",
  );
  const answer = await console.choose<TrustAnswer>({
    message: "Trust this folder?",
    choices: [
      { value: "folder", label: "Trust this folder", hint: "until skillwright untrust" },
      { value: "once", label: "Only this time" },
      { value: "no", label: "No", hint: "go on without these skills" },
    ],
    initial: "no",
  });
  if (answer === undefined) throw new CommandFailure(EXIT.interrupted, "interrupted");
  return answer;
}
