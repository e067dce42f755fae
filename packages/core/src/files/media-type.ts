import { extname } from "node:path";

/** The first bytes of well-known formats, as Latin-1. */
const SIGNATURES: readonly (readonly [signature: string, mediaType: string])[] = [
  ["\x89PNG\r\n\x1a\n", "image/png"],
  ["\xff\xd8\xff", "image/jpeg"],
  ["GIF8", "image/gif"],
  ["%PDF-", "application/pdf"],
  ["PK\x03\x04", "application/zip"],
  ["PK\x05\x06", "application/zip"],
  ["\x1f\x8b", "application/gzip"],
  ["BZh", "application/x-bzip2"],
  ["\xfd7zXZ\x00", "application/x-xz"],
  ["\x28\xb5\x2f\xfd", "application/zstd"],
  ["7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"],
  ["\x7fELF", "application/x-elf"],
  ["MZ", "application/vnd.microsoft.portable-executable"],
  ["\x00asm", "application/wasm"],
  ["wOFF", "font/woff"],
  ["wOF2", "font/woff2"],
  ["\x00\x01\x00\x00\x00", "font/ttf"],
  ["OTTO", "font/otf"],
  ["OggS", "audio/ogg"],
  ["ID3", "audio/mpeg"],
  ["fLaC", "audio/flac"],
  ["II*\x00", "image/tiff"],
  ["MM\x00*", "image/tiff"],
  ["BM", "image/bmp"],
  ["SQLite format 3\x00", "application/vnd.sqlite3"],
  ["\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"],
];

const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  [".bmp", "image/bmp"],
  [".doc", "application/msword"],
  [".docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
  [".epub", "application/epub+zip"],
  [".ico", "image/vnd.microsoft.icon"],
  [".jar", "application/java-archive"],
  [".mp3", "audio/mpeg"],
  [".odt", "application/vnd.oasis.opendocument.text"],
  [".parquet", "application/vnd.apache.parquet"],
  [".ppt", "application/vnd.ms-powerpoint"],
  [".pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"],
  [".tar", "application/x-tar"],
  [".ttf", "font/ttf"],
  [".xls", "application/vnd.ms-excel"],
  [".xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
]);

const IMAGES = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;

/** The kind of image that models take, by the first bytes; undefined for anything else. */
export function imageTypeOf(head: Buffer): (typeof IMAGES)[number] | undefined {
  const type = mediaTypeOfBytes(head.toString("latin1", 0, 32));
  return IMAGES.find((one) => one === type);
}

/** Formats that are many formats: there the name says more than the first bytes. */
const CONTAINERS: ReadonlySet<string> = new Set(["application/zip", "application/x-ole-storage"]);

/** What a binary file is, by its first bytes and then by its name. */
export function mediaTypeOf(path: string, head: Buffer): string {
  const byName = EXTENSIONS.get(extname(path).toLowerCase());
  const byContent = mediaTypeOfBytes(head.toString("latin1", 0, 32));
  if (byContent === undefined) return byName ?? "application/octet-stream";
  return CONTAINERS.has(byContent) ? (byName ?? byContent) : byContent;
}

function mediaTypeOfBytes(head: string): string | undefined {
  const kind = head.slice(8, 12);
  if (head.startsWith("RIFF") && kind === "WEBP") return "image/webp";
  if (head.startsWith("RIFF") && kind === "WAVE") return "audio/wav";
  if (head.startsWith("ftyp", 4)) return kind.startsWith("avi") ? "image/avif" : "video/mp4";
  return SIGNATURES.find(([signature]) => head.startsWith(signature))?.[1];
}
