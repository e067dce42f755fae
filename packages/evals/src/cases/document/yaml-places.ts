import { type Event, EVENT_ID, getScalarValue, parseEvents } from "js-yaml";
import { DocumentProblem, FORBIDDEN_KEYS, MAX_DEPTH, type Place } from "./data-document.ts";

const NOTHING: ReadonlyMap<string, Place> = new Map();

/** Where each value of a YAML text stands. Aliases, tags and keys that are no words are refused. */
export function yamlPlaces(text: string): Place {
  const events = parseEvents(text, { maxDepth: MAX_DEPTH });
  // The first is the document itself.
  let next = 1;
  return events.length < 2 || events[1]?.type === EVENT_ID.POP
    ? { start: 0, inner: NOTHING }
    : node(0);

  function node(after: number): Place {
    const event = events[next++];
    const start = startOf(event, after);
    if (event?.type === EVENT_ID.MAPPING) return { start, inner: members(start) };
    if (event?.type === EVENT_ID.SEQUENCE) return { start, inner: items(start) };
    return { start, inner: NOTHING };
  }

  function members(start: number): Map<string, Place> {
    const inner = new Map<string, Place>();
    while (events[next] !== undefined && events[next]?.type !== EVENT_ID.POP) {
      const event = events[next++];
      const at = startOf(event, start);
      if (event?.type !== EVENT_ID.SCALAR) throw new DocumentProblem("a key must be a word", at);
      const key = event.valueStart === -1 ? "" : getScalarValue(text, event);
      if (FORBIDDEN_KEYS.has(key)) throw new DocumentProblem(`the key ${key} is not allowed`, at);
      inner.set(key, { start: at, inner: node(at).inner });
    }
    next++;
    return inner;
  }

  function items(start: number): Map<number, Place> {
    const inner = new Map<number, Place>();
    while (events[next] !== undefined && events[next]?.type !== EVENT_ID.POP) {
      inner.set(inner.size, node(start));
    }
    next++;
    return inner;
  }
}

function startOf(event: Event | undefined, after: number): number {
  if (event === undefined) return after;
  if (event.type === EVENT_ID.ALIAS) {
    throw new DocumentProblem("YAML aliases are not allowed", Math.max(0, event.anchorStart - 1));
  }
  if ("tagStart" in event && event.tagStart !== -1) {
    throw new DocumentProblem("YAML tags are not allowed", event.tagStart);
  }
  if (event.type === EVENT_ID.SCALAR) return event.valueStart === -1 ? after : event.valueStart;
  return "start" in event ? event.start : after;
}
