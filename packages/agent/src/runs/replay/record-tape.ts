import type { AuditRecord } from "@skillwright/runtime";
import type { RunMeans } from "../../events/run-event.ts";

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

  /** The next records of this part, as long as they are of these events. */
  upcoming(events: ReadonlySet<string>): readonly AuditRecord[] {
    const part = this.rest;
    const end = part.findIndex(({ event }) => !events.has(event));
    return end === -1 ? part : part.slice(0, end);
  }

  /** What is left of this part. */
  get rest(): readonly AuditRecord[] {
    return this.#records.slice(this.index, this.#end);
  }

  take(): AuditRecord | undefined {
    const { next } = this;
    if (next !== undefined) this.index++;
    return next;
  }
}
