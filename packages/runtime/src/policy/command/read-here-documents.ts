import type { CommandReader, PendingDocument } from "./command-reader.ts";
import { readDocumentText } from "./read-word.ts";
import { literalWord, type Word } from "./simple-command.ts";

/** Reads the texts that were announced on the line before. */
export function readHereDocuments(reader: CommandReader): void {
  // What is found inside a text may announce others; those have no text of their own.
  for (const document of reader.pending.splice(0)) readHereDocument(reader, document);
}

function readHereDocument(reader: CommandReader, document: PendingDocument): void {
  const { text } = reader;
  const start = reader.at;
  let end = -1;
  while (reader.at < text.length && end === -1) {
    const newline = text.indexOf("\n", reader.at);
    const stop = newline === -1 ? text.length : newline;
    const line = text.slice(reader.at, stop);
    if ((document.stripTabs ? line.replace(/^\t+/, "") : line) === document.delimiter)
      end = reader.at;
    reader.at = newline === -1 ? text.length : stop + 1;
  }
  if (end === -1) reader.unclear.add("a here-document that does not end");
  // A backslash joins lines before they are compared with the delimiter.
  if (!document.literal && text.slice(start, reader.at).includes("\\\n")) {
    reader.unclear.add("a here-document that may end anywhere");
  }
  const body = text.slice(start, end === -1 ? text.length : end);
  document.fill(document.literal ? literalWord(body) : readExpandedBody(reader, body));
}

function readExpandedBody(reader: CommandReader, body: string): Word {
  const inner: CommandReader = { ...reader, text: body, at: 0, pending: [] };
  return readDocumentText(inner);
}
