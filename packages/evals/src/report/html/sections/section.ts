import { html, type Markup } from "../markup.ts";

export interface ReportSection {
  readonly id: string;
  readonly title: string;
  readonly body: Markup;
}

export function renderSection({ id, title, body }: ReportSection): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    ${body}
  </section> `;
}

/** A wide table scrolls in itself, also by keyboard. */
export function scrollable(label: string, table: Markup): Markup {
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${label}">${table}</div>`;
}

/** The first ones of a list, and how many more there are. */
export function firstOf<Item>(
  items: readonly Item[],
  most: number,
  render: (item: Item) => Markup,
): Markup {
  const more = items.length - most;
  return html`${items.slice(0, most).map(render)}${more > 0 ? html`<li class="more">and ${more} more</li>` : undefined}`;
}
