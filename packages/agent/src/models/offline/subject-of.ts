import { readRequest } from "./read-request.ts";

const MAX_REQUEST = 2000;
const LONG_QUOTE = 30;

/** A request without what is only its data: of a file's name the ending says enough. */
export function subjectOf(request: string): string {
  const { text, files, outputs, urls, quoted } = readRequest(request.slice(0, MAX_REQUEST));
  let subject = text;
  for (const path of [...files, ...outputs]) {
    subject = subject.replace(path, /\.([a-z][a-z0-9]{0,9})$/i.exec(path)?.[1] ?? " ");
  }
  for (const url of urls) subject = subject.replace(url, " url ");
  for (const quote of quoted) if (quote.length > LONG_QUOTE) subject = subject.replace(quote, " ");
  return /[\p{L}\p{N}]/u.test(subject) ? subject : text;
}
