import { leftOutAnswer, pipedAnswer, type Say, unusedAnswer } from "./answers.ts";
import { attachedFiles, hasPipedData } from "./attached-files.ts";
import { leftOut, numbersLeft } from "./left-out.ts";
import type { OfflineView } from "./offline-view.ts";
import { readRequest } from "./read-request.ts";

/** What of a request did not get into the calls that answer it, to be said with the answer. */
export function notTakenIn(view: OfflineView, say: Say): string[] {
  const runs = view.steps.filter(({ action, ok }) => ok && action.action === "run_script");
  if (runs.length === 0) return [];
  const args = runs.flatMap(({ action }) =>
    Array.isArray(action["args"]) ? action["args"].map(String) : [],
  );
  const done = { args, instructions: view.active.map(({ text }) => text).join("\n") };
  const facts = readRequest(view.request, view.isGerman ?? false);
  const phrases = leftOut(facts, done);
  const numbers = numbersLeft(facts, done).filter(
    (number) => !phrases.some((phrase) => phrase.includes(number)),
  );
  const unused = attachedFiles(view).filter((path) => !args.includes(path));
  const left = [...phrases, ...numbers];
  return [
    ...(left.length > 0 ? [leftOutAnswer(say, left)] : []),
    ...(unused.length > 0 ? [unusedAnswer(say, unused)] : []),
    ...(hasPipedData(view) ? [pipedAnswer(say)] : []),
  ];
}
