import { crc32, deflateRawSync } from "node:zlib";

/** What one of an entry's two headers says. */
interface HeaderFields {
  name?: string | Buffer;
  flags?: number;
  method?: number;
  crc?: number;
  packedSize?: number;
  size?: number;
  extra?: Buffer;
}

/** An entry; whatever is given replaces what would be true. */
export interface ZipPart extends HeaderFields {
  name: string | Buffer;
  content?: string | Buffer;
  /** As they stand in the archive, instead of the content compressed. */
  packed?: Buffer;
  /** Unix mode with the bits of its kind. */
  mode?: number;
  /** Where its own header differs from the list. */
  local?: HeaderFields;
  /** Behind the data. */
  behind?: Buffer;
  /** Where the list says that its header is. */
  offset?: number;
  /** Only in the list: it has no header and data of its own. */
  isListedOnly?: boolean;
}

export interface ZipShape {
  before?: Buffer;
  /** Between the last entry and the list. */
  beforeList?: Buffer;
  after?: Buffer;
  comment?: Buffer;
  entries?: number;
  entriesHere?: number;
  listSize?: number;
  listStart?: number;
  /** Adds zip64 end records; what is given replaces what would be true. */
  wide?: { entries?: number; size?: number; start?: number; recordSize?: number };
  disk?: number;
}

const DEFLATED = 8;

/** A zip whose every field can lie. */
export function hostileZip(parts: readonly ZipPart[], shape: ZipShape = {}): Buffer {
  const body: Buffer[] = [shape.before ?? Buffer.alloc(0)];
  const list: Buffer[] = [];
  let at = shape.before === undefined ? 0 : shape.before.length;
  for (const part of parts) {
    const fields = truthOf(part);
    list.push(listHeader(part, fields, part.offset ?? at));
    if (part.isListedOnly === true) continue;
    const own = { ...fields, ...part.local };
    const bytes = [localHeader(own), fields.packed, part.behind ?? Buffer.alloc(0)];
    body.push(...bytes);
    at += bytes.reduce((sum, { length }) => sum + length, 0);
  }
  if (shape.beforeList !== undefined) body.push(shape.beforeList);
  const start = body.reduce((sum, { length }) => sum + length, 0);
  const directory = Buffer.concat(list);
  return Buffer.concat([...body, directory, endOf(parts.length, start, directory.length, shape)]);
}

/** Checksum and sizes as they stand behind data. */
export function descriptor(content: string, packedSize: number): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt32LE(0x08074b50, 0);
  bytes.writeUInt32LE(crc32(content), 4);
  bytes.writeUInt32LE(packedSize, 8);
  bytes.writeUInt32LE(Buffer.byteLength(content), 12);
  return bytes;
}

export function extraField(id: number, data: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(id, 0);
  head.writeUInt16LE(data.length, 2);
  return Buffer.concat([head, data]);
}

type Truth = Required<HeaderFields> & { packed: Buffer };

function truthOf(part: ZipPart): Truth {
  const content = Buffer.from(part.content ?? "");
  const { method = DEFLATED } = part;
  const packed = part.packed ?? (method === DEFLATED ? deflateRawSync(content) : content);
  return {
    name: part.name,
    flags: part.flags ?? 0,
    method,
    crc: part.crc ?? crc32(content),
    packedSize: part.packedSize ?? packed.length,
    size: part.size ?? content.length,
    extra: part.extra ?? Buffer.alloc(0),
    packed,
  };
}

function localHeader(fields: Required<HeaderFields>): Buffer {
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(20, 4);
  writeFields(head.subarray(6), fields);
  return Buffer.concat([head, Buffer.from(fields.name), fields.extra]);
}

function listHeader(part: ZipPart, fields: Required<HeaderFields>, offset: number): Buffer {
  const head = Buffer.alloc(46);
  head.writeUInt32LE(0x02014b50, 0);
  head.writeUInt16LE((3 << 8) | 20, 4);
  head.writeUInt16LE(20, 6);
  writeFields(head.subarray(8), fields);
  head.writeUInt32LE(((part.mode ?? 0o100644) << 16) >>> 0, 38);
  head.writeUInt32LE(offset, 42);
  return Buffer.concat([head, Buffer.from(fields.name), fields.extra]);
}

/** What both kinds of header have, in the same order. */
function writeFields(head: Buffer, fields: Required<HeaderFields>): void {
  head.writeUInt16LE(fields.flags, 0);
  head.writeUInt16LE(fields.method, 2);
  head.writeUInt32LE(fields.crc, 8);
  head.writeUInt32LE(fields.packedSize, 12);
  head.writeUInt32LE(fields.size, 16);
  head.writeUInt16LE(Buffer.from(fields.name).length, 20);
  head.writeUInt16LE(fields.extra.length, 22);
}

function endOf(entries: number, start: number, size: number, shape: ZipShape): Buffer {
  const comment = shape.comment ?? Buffer.alloc(0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(shape.disk ?? 0, 4);
  end.writeUInt16LE(shape.entriesHere ?? shape.entries ?? entries, 8);
  end.writeUInt16LE(shape.entries ?? entries, 10);
  end.writeUInt32LE(shape.listSize ?? size, 12);
  end.writeUInt32LE(shape.listStart ?? start, 16);
  end.writeUInt16LE(comment.length, 20);
  const wide = shape.wide === undefined ? [] : [wideEnd(entries, start, size, shape.wide)];
  return Buffer.concat([...wide, end, comment, shape.after ?? Buffer.alloc(0)]);
}

function wideEnd(
  entries: number,
  start: number,
  size: number,
  wide: NonNullable<ZipShape["wide"]>,
): Buffer {
  const record = Buffer.alloc(76);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(BigInt(wide.recordSize ?? 44), 4);
  record.writeBigUInt64LE(BigInt(wide.entries ?? entries), 24);
  record.writeBigUInt64LE(BigInt(wide.entries ?? entries), 32);
  record.writeBigUInt64LE(BigInt(wide.size ?? size), 40);
  record.writeBigUInt64LE(BigInt(wide.start ?? start), 48);
  record.writeUInt32LE(0x07064b50, 56);
  record.writeBigUInt64LE(BigInt(start + size), 64);
  record.writeUInt32LE(1, 72);
  return record;
}
