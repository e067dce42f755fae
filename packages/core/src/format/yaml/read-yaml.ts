import {
  boolCoreTag,
  type Event,
  EVENT_ID,
  floatCoreTag,
  getScalarValue,
  intCoreTag,
  NOT_RESOLVED,
  nullCoreTag,
  parseEvents,
  SCALAR_STYLE,
  type ScalarEvent,
  YAMLException,
} from "js-yaml";
import { isPrototypeKey } from "../names.ts";
import type { YamlEntry, YamlNode, YamlPrimitive, YamlScalar } from "./yaml-node.ts";

const MAX_YAML_DEPTH = 20;

type YamlProblem = "invalid" | "too-deep" | "alias" | "tag" | "duplicate-key" | "prototype-key";

export type YamlResult = { readonly ok: true; readonly node: YamlNode } | YamlFailure;

export interface YamlFailure {
  readonly ok: false;
  readonly problem: YamlProblem;
  readonly reason: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Reads one YAML document into nodes with offsets. js-yaml does the grammar; what
 * frontmatter has no use for – aliases, tags, duplicate and prototype keys, several documents – is
 * refused here with its position.
 */
export function readYaml(text: string): YamlResult {
  // Collecting the stack trace would take longer than parsing.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return { ok: true, node: new Composer(text).document() };
  } catch (error) {
    if (error instanceof Refusal) return error.failure;
    if (error instanceof YAMLException) return grammarFailure(error, text);
    throw error;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

class Refusal extends Error {
  readonly failure: YamlFailure;

  constructor(problem: YamlProblem, reason: string, start: number, end: number) {
    super(reason);
    this.failure = { ok: false, problem, reason, start, end };
  }
}

class Composer {
  readonly #text: string;
  readonly #events: readonly Event[];
  #next = 0;

  constructor(text: string) {
    this.#text = text;
    this.#events = parseEvents(text, { maxDepth: MAX_YAML_DEPTH });
  }

  document(): YamlNode {
    if (this.#events.length === 0) return emptyScalar(0);
    this.#next = 1;
    const node = this.#peek() === EVENT_ID.POP ? emptyScalar(0) : this.#node(0);
    if (this.#next + 1 < this.#events.length) {
      throw new Refusal("invalid", "there is more than one YAML document", node.end, node.end);
    }
    return node;
  }

  #peek(): number | undefined {
    return this.#events[this.#next]?.type;
  }

  /** `after` is where an omitted value would stand. */
  #node(after: number): YamlNode {
    const event = this.#events[this.#next++];
    if (event === undefined || event.type === EVENT_ID.POP || event.type === EVENT_ID.DOCUMENT) {
      throw new Refusal("invalid", "the document ends too early", after, after);
    }
    if (event.type === EVENT_ID.ALIAS) {
      const start = event.anchorStart - 1;
      throw new Refusal("alias", "YAML aliases are not allowed", start, event.anchorEnd);
    }
    if (event.tagStart !== -1) {
      throw new Refusal("tag", "YAML tags are not allowed", event.tagStart, event.tagEnd);
    }
    if (event.type === EVENT_ID.SCALAR) return this.#scalar(event, after);
    return event.type === EVENT_ID.MAPPING ? this.#map(event.start) : this.#list(event.start);
  }

  #scalar(event: ScalarEvent, after: number): YamlScalar {
    if (event.valueStart === -1) return emptyScalar(after);
    const source = getScalarValue(this.#text, event);
    const plain = event.style === SCALAR_STYLE.PLAIN;
    return {
      kind: "scalar",
      value: plain ? resolvePlain(source) : source,
      source,
      plain,
      start: event.valueStart,
      end: plain ? event.valueEnd : endOfContent(this.#text, event),
    };
  }

  #list(start: number): YamlNode {
    const items: YamlNode[] = [];
    while (this.#peek() !== EVENT_ID.POP) items.push(this.#node(items.at(-1)?.end ?? start));
    this.#next++;
    return { kind: "list", items, start, end: items.at(-1)?.end ?? start };
  }

  #map(start: number): YamlNode {
    const entries: YamlEntry[] = [];
    const seen = new Set<string>();
    let end = start;
    while (this.#peek() !== EVENT_ID.POP) {
      const { source: key, start: keyStart, end: keyEnd } = this.#key(end);
      if (seen.has(key)) {
        throw new Refusal("duplicate-key", `the key \`${key}\` appears twice`, keyStart, keyEnd);
      }
      seen.add(key);
      const value = this.#node(keyEnd);
      end = value.end;
      entries.push({ key, keyStart, keyEnd, value });
    }
    this.#next++;
    return { kind: "map", entries, start, end };
  }

  #key(after: number): YamlScalar {
    const key = this.#node(after);
    if (key.kind !== "scalar") {
      throw new Refusal("invalid", "a key must be a simple word", key.start, key.end);
    }
    if (isPrototypeKey(key.source)) {
      const reason = `the key \`${key.source}\` is not allowed`;
      throw new Refusal("prototype-key", reason, key.start, key.end);
    }
    return key;
  }
}

const IMPLICIT_TAGS = [nullCoreTag, boolCoreTag, intCoreTag, floatCoreTag];
const NOT_TEXT_STARTS = new Set("~nNtTfF0123456789+-.");

/** The value of an unquoted scalar under the YAML core schema, as js-yaml resolves it. */
export function resolvePlain(source: string): YamlPrimitive {
  if (source !== "" && !NOT_TEXT_STARTS.has(source.charAt(0))) return source;
  for (const tag of IMPLICIT_TAGS) {
    const value = tag.resolve(source, false, tag.tagName);
    if (value !== NOT_RESOLVED) return value;
  }
  return source;
}

/** The parser counts the blank lines below a block to it; a person does not. */
function endOfContent(text: string, { style, valueStart, valueEnd }: ScalarEvent): number {
  const isBlock = style === SCALAR_STYLE.LITERAL_BLOCK || style === SCALAR_STYLE.FOLDED_BLOCK;
  return isBlock ? valueStart + text.slice(valueStart, valueEnd).trimEnd().length : valueEnd;
}

function emptyScalar(at: number): YamlScalar {
  return { kind: "scalar", value: null, source: "", plain: true, start: at, end: at };
}

function grammarFailure({ reason, mark }: YAMLException, text: string): YamlFailure {
  const start = Math.min(mark?.position ?? 0, text.length);
  const problem = reason.includes("maxDepth") ? "too-deep" : "invalid";
  return { ok: false, problem, reason, start, end: start };
}
