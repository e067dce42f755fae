const BETWEEN =
  /\s*(?:[;；。\n]|,?\s(?:and then|and also|then|and|as well as)\s|，?(?:然后|並且|并且|同时|接着|再|并))\s*/giu;
const MAX_REQUEST = 2000;
const MAX_PARTS = 4;
const SHORTEST = 6;

/** The parts of a request that asks for several things; none when it asks for one. */
export function splitRequest(request: string): string[] {
  const parts = request
    .slice(0, MAX_REQUEST)
    .split(BETWEEN)
    .filter((part) => part.length >= SHORTEST);
  return parts.length > 1 ? parts.slice(0, MAX_PARTS) : [];
}
