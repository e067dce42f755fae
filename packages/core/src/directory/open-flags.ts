import { constants } from "node:fs";

/** Not every platform has every flag. */
const FLAGS: Readonly<Record<string, number | undefined>> = { ...constants };

/** For reading, without following a link, and without waiting for someone to write to a FIFO. */
export const READ_WITHOUT_FOLLOWING =
  (FLAGS["O_RDONLY"] ?? 0) | (FLAGS["O_NOFOLLOW"] ?? 0) | (FLAGS["O_NONBLOCK"] ?? 0);
