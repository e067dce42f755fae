import type { AuditRecord } from "@skillwright/runtime";
import type { RunMeans } from "../../events/agent-event.ts";

const STARTS: ReadonlySet<string> = new Set(["run-start", "run-resume"]);

/** A record that is read from its beginning to its end, in parts that each begin with a start. */
export class RecordTape {
  readonly #records: readonly AuditRecord[];
  /** Where the part ends that is being read. */
  #end = 0;
  index = 0;

  constructor(records: readonly AuditRecord[]) {
    this.#records = records;
  }

  get length(): number {
    return this.#records.length;
  }

  /** Goes on to the next part and gives what the run worked with; undefined when there is none. */
  startNext(): RunMeans | undefined {
    const start = this.#records[this.#end];
    if (start === undefined) return undefined;
    const next = this.#records.findIndex(({ event }, i) => i > this.#end && STARTS.has(event));
    this.index = this.#end;
    this.#end = next === -1 ? this.#records.length : next;
    return (start.data as { readonly means: RunMeans }).means;
  }

  /** The next one of this part. */
  get next(): AuditRecord | undefined {
    return this.index < this.#end ? this.#records[this.index] : undefined;
  }

  take(): AuditRecord | undefined {
    const { next } = this;
    if (next !== undefined) this.index++;
    return next;
  }
}
