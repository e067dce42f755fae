import type { KeyObject } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Approval } from "../approval.ts";
import { approvalId } from "../request.ts";
import { damaged, readSignedFile, unwritable, writeSignedFile } from "../signed-file.ts";

const ID = /^[0-9a-f]{32}$/;
const FILE = /^([0-9a-f]{32})\.json$/;

/**
 * Approvals of scope `skill`, one file each under its id. So processes never write the same file for
 * different approvals, and none can lose what another has written.
 */
export class GrantedFiles {
  readonly #folder: string;
  readonly #key: KeyObject;

  constructor(stateDirectory: string, key: KeyObject) {
    this.#folder = join(stateDirectory, "approvals", "granted");
    this.#key = key;
  }

  /** Read anew each time: another process may have taken it back. */
  get(id: string): Approval | undefined {
    const file = this.#file(id);
    const approval = readSignedFile(file, "approval", this.#key) as Approval | undefined;
    if (approval === undefined) return undefined;
    // A signed approval under the name of another would be one for something else.
    const isItself =
      approval.scope === "skill" && approvalId(approval.subject, undefined, this.#key) === id;
    if (!isItself || approval.id !== id)
      throw damaged(file, "it is the approval of something else");
    return approval;
  }

  add(approval: Approval): void {
    writeSignedFile(this.#file(approval.id), approval);
  }

  /** Also takes back what is damaged. */
  remove(id: string): boolean {
    if (!ID.test(id)) return false;
    const file = this.#file(id);
    try {
      rmSync(file);
      return true;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT" || code === "ENOTDIR") return false;
      throw unwritable(file, error);
    }
  }

  list(): Approval[] {
    return this.#names()
      .map((name) => FILE.exec(name)?.[1])
      .filter((id) => id !== undefined)
      .map((id) => this.get(id))
      .filter((approval) => approval !== undefined);
  }

  #names(): string[] {
    try {
      return readdirSync(this.#folder).sort();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
      throw damaged(this.#folder, (error as Error).message, error);
    }
  }

  #file(id: string): string {
    return join(this.#folder, `${id}.json`);
  }
}
