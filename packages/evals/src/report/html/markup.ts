import { escapeXml } from "@skillwright/core/internal";

/** Text that is HTML already. Only `markup` makes it, so that nothing else gets into a page as HTML. */
export class Markup {
  readonly #text: string;

  constructor(text: string, key: typeof KEY) {
    if (key !== KEY) throw new TypeError("Markup is made by markup``");
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

export type Part = Markup | string | number | undefined | readonly Part[];

const KEY = Symbol("markup");

/** What is put in is text, unless it was made by this function; undefined is nothing. */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let text = "";
  for (const [at, string] of strings.entries()) text += string + render(parts[at]);
  return new Markup(text, KEY);
}

/** For text of our own that is no HTML to a parser: the content of a style or a script. */
export function rawText(text: string): Markup {
  if (/<\/?(?:script|style|!--)/i.test(text)) throw new TypeError("It would end its element");
  return new Markup(text, KEY);
}

function render(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Markup) return part.toString();
  if (typeof part === "object") return part.map(render).join("");
  return escapeHtml(`${part}`);
}

/** For text and for attributes in quotes; what HTML cannot hold becomes the sign for that. */
function escapeHtml(text: string): string {
  // oxlint-disable-next-line no-control-regex
  const invalid = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Surrogate}/gu;
  return escapeXml(text.replaceAll(invalid, "\uFFFD"));
}

export interface ReportSection {
  readonly id: string;
  readonly title: string;
  readonly body: Part;
}

export function renderSection({ id, title, body }: ReportSection): Markup {
  return markup`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>${body}</section>`;
}

/** The first cell of a row is its head. A wide table scrolls in itself, also by keyboard. */
export function table(
  label: string,
  head: readonly string[],
  rows: readonly (readonly Part[])[],
): Markup | undefined {
  if (rows.length === 0) return undefined;
  const heads = head.map((name) => markup`<th scope="col">${name}</th>`);
  const cells = rows.map(
    ([first, ...rest]) =>
      markup`<tr><th scope="row">${first}</th>${rest.map((cell) => markup`<td>${cell}</td>`)}</tr>`,
  );
  return scrollable(
    label,
    markup`<table class="data"><thead><tr>${heads}</tr></thead><tbody>${cells}</tbody></table>`,
  );
}

export function scrollable(label: string, content: Markup): Markup {
  return markup`<div class="scroll" role="region" tabindex="0" aria-label="${label}">${content}</div>`;
}

interface ListOptions {
  readonly most: number;
  /** Begins closed. */
  readonly isClosed?: boolean;
}

/** A list that opens, with the number of its items and as many of them as are shown. Nothing of an empty one. */
export function foldedList<Item>(
  title: string,
  items: readonly Item[],
  { most, isClosed = false }: ListOptions,
  show: (item: Item) => Part,
): Markup | undefined {
  if (items.length === 0) return undefined;
  const open = isClosed ? undefined : markup` open`;
  return markup`<details${open}><summary>${title} <small>${items.length}</small></summary><ul class="items">${firstOf(items, most, show)}</ul></details>`;
}

/** The first ones of a list, and how many more there are. */
export function firstOf<Item>(
  items: readonly Item[],
  most: number,
  show: (item: Item) => Part,
): Markup {
  const more = items.length - most;
  const last = more > 0 ? markup`<li class="quiet">and ${more} more</li>` : undefined;
  return markup`${items.slice(0, most).map((item) => markup`<li>${show(item)}</li>`)}${last}`;
}

const UNSAFE = /[<>\u2028\u2029]/g;

/** JSON that no HTML parser takes for the end of its element, and no JavaScript parser for a new line. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(
    UNSAFE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
