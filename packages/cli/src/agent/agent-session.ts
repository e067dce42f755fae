import { createFileStore, type FileStore, MAX_TEXT } from "@skillwright/agent";
import type { Skills } from "@skillwright/core";
import { type AuditRecord, createRedactor } from "@skillwright/runtime";
import type { Console } from "../console.ts";
import { openSessionSkills } from "../session-skills.ts";
import { openSession, type Session, type SessionPlace } from "../session.ts";
import { requireTrust } from "../skills/trust/require-trust.ts";
import { namedTools } from "../runtime/session-approver.ts";
import { visibleText } from "../terminal/visible-text.ts";
import { describeRecord } from "./describe-record.ts";
import type { AgentOptions } from "./run-options.ts";

/** What a run needs, with the question of trust settled first. */
export async function openAgentSession(
  options: AgentOptions,
  console: Console,
): Promise<{ readonly session: Session; readonly skills: Skills }> {
  // Wrong usage is said before anything is opened, also where nothing would be asked.
  namedTools(options);
  const opened = await openSession(options, console);
  const found = await openSessionSkills(opened, options, console);
  return requireTrust(opened, found, options, console);
}

/** The runs of this project. */
export function openRunStore(
  { project, stateDirectory }: SessionPlace,
  console: Console,
): FileStore {
  const redactor = createRedactor({ env: console.env, maxStringLength: MAX_TEXT });
  return createFileStore({ root: project, stateDirectory, redactor });
}

/** One line on stderr for what a person wants to know while they wait. */
export function progressOf(console: Console): (record: AuditRecord) => void {
  const { dim } = console.noteColors;
  return (record) => {
    const described = console.quiet ? undefined : describeRecord(record);
    if (described?.isProgress !== true) return;
    console.note(`${dim(described.subject.padEnd(7))} ${visibleText(described.text)}`);
  };
}
