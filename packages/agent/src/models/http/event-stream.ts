import { createParser } from "eventsource-parser";
import { UnreadableBodyError } from "./read-body.ts";

/** In UTF-16 units. No event of a model is longer; the body as a whole has a limit as well. */
const MAX_EVENT_LENGTH = 4 * 1024 * 1024;
/** Lines with a field that no event has. The parser makes an error of each, which takes its time. */
const MAX_UNKNOWN_LINES = 1000;

/** Reads a `text/event-stream` that comes in pieces. Gives the data of each event. */
export class EventStreamReader {
  readonly #parser = createParser({
    maxBufferSize: MAX_EVENT_LENGTH,
    onEvent: ({ data }) => {
      if (data.length > MAX_EVENT_LENGTH) throw new UnreadableBodyError("has too long an event");
      this.#events.push(data);
    },
    onError: ({ type }) => {
      if (type === "max-buffer-size-exceeded") {
        throw new UnreadableBodyError("has too long an event");
      }
      if (++this.#unknownLines > MAX_UNKNOWN_LINES) {
        throw new UnreadableBodyError("is not an event stream");
      }
    },
  });
  #events: string[] = [];
  #unknownLines = 0;
  #endedInReturn = false;

  /** Throws `UnreadableBodyError` for what is too long or not a stream of events. */
  push(text: string): readonly string[] {
    if (text === "") return [];
    const rest = this.#endedInReturn && text.startsWith("\n") ? text.slice(1) : text;
    this.#endedInReturn = rest.endsWith("\r");
    // With both kinds of line ends in one piece the parser would take quadratic time.
    return this.#feed(rest.replaceAll(/\r\n?/g, "\n"));
  }

  /** What is left at the end: not every server ends its last event with an empty line. */
  end(): readonly string[] {
    return this.#feed("\n\n");
  }

  #feed(text: string): readonly string[] {
    this.#parser.feed(text);
    const events = this.#events;
    this.#events = [];
    return events;
  }
}
