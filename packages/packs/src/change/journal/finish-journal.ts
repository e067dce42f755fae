import { renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { readIfPresent, syncFolder } from "@skillwright/core/internal";
import { carryOut } from "./carry-out.ts";
import { readHistory } from "../history/history.ts";
import { type Journal, JOURNAL, parseJournal } from "./journal.ts";
import { standing } from "../files/plain-path.ts";
import { freshId, type RootContext } from "../root-context.ts";
import { verifiedBody } from "../signing/signed-text.ts";

/**
 * Finishes a change that was decided and not carried out to its end. A journal that this user did
 * not write for this root – a project may bring one along – is set aside, and nothing that it says
 * is done. Returns what a person should know.
 */
export async function finishJournal(context: RootContext): Promise<string[]> {
  const { state } = context;
  if (standing(state.journal) === undefined) return [];
  const journal = readJournal(context);
  if (journal === undefined) {
    return [`${setAside(context, state.journal)}: a journal that you did not write for this root`];
  }
  const { entries } = readHistory(state, context);
  if (entries.some(({ id }) => id === journal.id)) {
    rmSync(state.journal, { force: true });
    syncFolder(state.folder);
    return [];
  }
  if (journal.sequence <= (entries[0]?.sequence ?? 0)) {
    return [`${setAside(context, state.journal)}: a journal older than the last change`];
  }
  await carryOut(context, journal);
  return [`finished an interrupted change: ${journal.title}`];
}

/** Out of the way and out of effect, for whoever wants to look at it. Links are moved as links. */
export function setAside({ state, ids }: Pick<RootContext, "state" | "ids">, path: string): string {
  const name = `refused-${freshId(ids)}-${basename(path)}`;
  renameSync(path, join(state.folder, name));
  return `set aside as ${name}`;
}

function readJournal(context: RootContext): Journal | undefined {
  let text: string | undefined;
  try {
    text = readIfPresent(context.state.journal)?.toString("utf8");
  } catch {
    return undefined;
  }
  const body = verifiedBody(JOURNAL, text ?? "", context);
  return body === undefined ? undefined : parseJournal(body);
}
