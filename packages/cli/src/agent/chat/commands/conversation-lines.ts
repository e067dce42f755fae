import { plural, truncateWidth, visibleLine } from "@skillwright/core/internal";
import type { Console } from "../../../console.ts";
import { table } from "../../../terminal/table.ts";
import { type ChatState, exchangeCount } from "../chat-state.ts";
import type { ConversationEntry } from "@skillwright/app/internal";

const SHOWN_EXCHANGES = 2;
const SHOWN_LINES = 4;

/** The conversations of a project, in a table. */
export function conversationsTable(
  entries: readonly ConversationEntry[],
  { width, colors }: Pick<Console, "width" | "colors">,
): string {
  if (entries.length === 0) return "No conversations in this project yet.";
  const rows = entries.map(({ id, exchanges, updatedAt, request }) =>
    [id, String(exchanges), updatedAt.slice(0, 16).replace("T", " "), request].map(visibleLine),
  );
  const header = ["CONVERSATION", "EXCHANGES", "LAST (UTC)", "BEGAN WITH"];
  return table(header, rows, { width, header: colors.dim });
}

/** What a person has to see before they go on with a conversation. */
export function resumedText(
  state: ChatState,
  { noteColors, screenSize }: Pick<Console, "noteColors" | "screenSize">,
): string {
  const { bold, dim } = noteColors;
  const { conversation } = state;
  const count = exchangeCount(state);
  const width = screenSize.columns - 3;
  const shown = conversation.exchanges
    .slice(-SHOWN_EXCHANGES)
    .flatMap(({ request, answer }) => [
      `${dim(">")} ${firstLines(request, width, 2).join("\n  ")}`,
      ...firstLines(answer, width, SHOWN_LINES).map((line) => `  ${dim(line)}`),
    ]);
  const title = `Conversation ${conversation.id}, ${plural(count, "exchange")}`;
  return [bold(visibleLine(title)), ...shown].join("\n");
}

function firstLines(text: string, width: number, most: number): string[] {
  const lines = text.trim().split("\n");
  const shown = lines.slice(0, most).map((line) => truncateWidth(visibleLine(line), width));
  const { length } = lines.slice(most);
  return length === 0 ? shown : [...shown, `… ${plural(length, "more line")}`];
}
