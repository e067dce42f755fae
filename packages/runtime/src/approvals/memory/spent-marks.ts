import { errorCode, makeFolder, writeNew } from "@skillwright/core/internal";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { unwritable } from "../signed-file.ts";

/** Marks, for good and for all processes, that an approval of a run was used or taken back. */
export class SpentMarks {
  readonly #folder: string;

  constructor(stateDirectory: string) {
    this.#folder = join(stateDirectory, "approvals", "spent");
  }

  /** True for the one who marks it first. */
  spend(run: string, id: string): boolean {
    const file = this.#file(run, id);
    try {
      makeFolder(this.#folder);
      writeNew(file, "", { flush: true });
      return true;
    } catch (error) {
      if (errorCode(error) === "EEXIST") return false;
      throw unwritable(file, error);
    }
  }

  has(run: string, id: string): boolean {
    return existsSync(this.#file(run, id));
  }

  #file(run: string, id: string): string {
    const name = createHash("sha256")
      .update(JSON.stringify([run, id]))
      .digest("hex");
    return join(this.#folder, name.slice(0, 32));
  }
}
