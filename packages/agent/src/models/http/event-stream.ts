/** One event of a `text/event-stream`. */
export interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

/** Reads events from text that comes in pieces. However it is cut, the events are the same. */
export class EventStreamParser {
  /** Of the line that is not finished: pieces, so that a long line is not copied again and again. */
  #line: string[] = [];
  #data: string[] = [];
  #name = "";
  #isStart = true;
  #endedInReturn = false;

  push(text: string): ServerEvent[] {
    const events: ServerEvent[] = [];
    let rest = text;
    if (rest === "") return events;
    if (this.#isStart) rest = rest.replace(/^\uFEFF/, "");
    this.#isStart = false;
    if (this.#endedInReturn && rest.startsWith("\n")) rest = rest.slice(1);
    this.#endedInReturn = rest.endsWith("\r");
    const lines = rest.split(/\r\n|\n|\r/);
    for (const [index, part] of lines.entries()) {
      if (part !== "") this.#line.push(part);
      if (index === lines.length - 1) break;
      const line = this.#line.join("");
      this.#line = [];
      this.#take(line, events);
    }
    return events;
  }

  /** What is left when the stream ends: not every server ends its last event with an empty line. */
  end(): ServerEvent[] {
    const events: ServerEvent[] = [];
    this.#take(this.#line.join(""), events);
    this.#line = [];
    this.#take("", events);
    return events;
  }

  #take(line: string, events: ServerEvent[]): void {
    if (line === "") {
      if (this.#data.length > 0) events.push({ name: this.#name, data: this.#data.join("\n") });
      this.#data = [];
      this.#name = "";
      return;
    }
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") this.#data.push(value);
    if (field === "event") this.#name = value;
  }
}
