import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { AuditError } from "./audit-error.ts";
import { readHead } from "./audit-head.ts";
import { readKey } from "./audit-key.ts";
import { auditPlace } from "./audit-place.ts";
import { type AuditProblem, ChainCheck } from "./chain-check.ts";
import { readRawLines } from "./read-raw-lines.ts";
import { firstHash, MAX_LINE_BYTES } from "./record-line.ts";

export type AuditVerification =
  | {
      readonly ok: true;
      readonly records: number;
      /** The id of the record. */
      readonly log: string;
      /** How often the record had to be mended after a crash: see its `audit-recovered` lines. */
      readonly recovered: number;
      /** Scripts that began and never ended, since who ran them was killed; or that still run. */
      readonly interrupted: number;
    }
  | {
      readonly ok: false;
      readonly problems: readonly AuditProblem[];
      /** Problems beyond those listed. */
      readonly more: number;
    };

export interface VerifyAuditOptions {
  readonly stateDirectory: string;
  /** The path at which the record was written, when it has been moved or copied since. */
  readonly writtenAs?: string;
}

const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

export async function verifyAudit(
  file: string,
  { stateDirectory, writtenAs = file }: VerifyAuditOptions,
): Promise<AuditVerification> {
  const place = auditPlace(writtenAs, stateDirectory);
  const key = readKey(place.key);
  // Before the file: what is appended meanwhile goes further than this head, which is sound.
  const head = readHead(place.head);
  if (key === undefined || head === undefined) {
    const what = key === undefined ? "no key" : "no head for this path";
    const message = `there is ${what} in ${stateDirectory}: the record was written elsewhere, or never`;
    return { ok: false, problems: [{ line: 0, kind: "foreign", message }], more: 0 };
  }
  const check = new ChainCheck(key, firstHash(head.log, key));
  const handle = await openIfThere(file);
  try {
    if (handle !== undefined) {
      for await (const lines of readRawLines(handle, MAX_LINE_BYTES)) {
        for (const line of lines) check.add(line, head);
      }
    }
  } finally {
    await handle?.close();
  }
  const { problems, more, records, recovered, interrupted } = check.end(head);
  if (problems.length > 0) return { ok: false, problems, more };
  return { ok: true, records, log: head.log, recovered, interrupted };
}

async function openIfThere(file: string): Promise<FileHandle | undefined> {
  try {
    const handle = await open(file, READ);
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new AuditError("audit-unreadable", `cannot read ${file}`, { cause: error });
  }
  throw new AuditError("audit-unreadable", `${file} is no regular file`);
}
