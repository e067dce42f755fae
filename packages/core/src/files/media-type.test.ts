import { expect, it } from "vitest";
import { mediaTypeOf } from "./index.ts";

it.each([
  ["x.bin", "\x89PNG\r\n\x1a\n...", "image/png"],
  ["x.png", "\xff\xd8\xff\xe0", "image/jpeg"],
  ["x", "%PDF-1.7", "application/pdf"],
  ["x", "RIFF....WEBP", "image/webp"],
  ["x", "RIFF....WAVE", "audio/wav"],
  ["x", "\0\0\0\x20ftypisom", "video/mp4"],
  ["x", "\0\0\0\x20ftypavif", "image/avif"],
  ["x.zip", "PK\x03\x04", "application/zip"],
  [
    "x.DOCX",
    "PK\x03\x04",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  ],
  ["x.tar", "\0\0", "application/x-tar"],
  ["x.md", "\xff\xff", "application/octet-stream"],
  ["x", "", "application/octet-stream"],
])("D-06 knows what %s with %j is", (path, head, mediaType) => {
  expect(mediaTypeOf(path, Buffer.from(head, "latin1"))).toBe(mediaType);
});
