import { TimeSlice, quoteName } from "@skillwright/core/internal";
import type { PackFailure } from "../../pack-failure.ts";
import { invalidEntry } from "../entries/entry-gate.ts";
import { canceled, refuse } from "../refuse.ts";
import { isBomb, type UnpackOptions } from "../unpack-options.ts";
import { checkLayout, type PlacedEntry } from "./check-layout.ts";
import { inflateEntry, inflateInParts } from "./inflate-entry.ts";
import { listEntries } from "./list-entries.ts";
import { locateDirectory } from "./locate-directory.ts";
import { toZipEntry, type ZipEntry } from "./zip-entry.ts";

/** Larger entries are unpacked in parts. */
const AT_ONCE_BYTES = 1024 * 1024;

/** Unpacks a zip that is in memory. All that can be known beforehand is checked beforehand. */
export async function unpackZip(
  bytes: Buffer,
  options: UnpackOptions,
): Promise<PackFailure | undefined> {
  const { gate, writer, signal, onProgress } = options;
  const place = locateDirectory(bytes);
  if (!place.ok) return place;
  const tooMany = gate.expectEntries(place.entries);
  if (tooMany !== undefined) return tooMany;
  const list = listEntries(bytes, place);
  if (!list.ok) return list;
  const entries: ZipEntry[] = [];
  for (const listed of list.entries) {
    const entry = toZipEntry(listed);
    if (!entry.ok) return entry;
    entries.push(entry);
  }
  const paths = admitAll(entries, bytes.length, options);
  if (!paths.ok) return paths;
  const layout = checkLayout(bytes, place, entries);
  if (!layout.ok) return layout;
  const problem = writer.makeFolders();
  if (problem !== undefined) return problem;
  const slice = new TimeSlice();
  for (const [i, placed] of layout.placed.entries()) {
    if (signal?.aborted === true) return canceled();
    const failure = await unpackEntry(placed, paths.of.get(placed.entry), options);
    if (failure !== undefined) return failure;
    if (!slice.isOver && i + 1 < entries.length) continue;
    onProgress?.({ phase: "unpack", done: i + 1, total: entries.length, unit: "files" });
    await slice.rest();
  }
  return undefined;
}

function admitAll(
  entries: readonly ZipEntry[],
  archiveBytes: number,
  { gate, limits }: UnpackOptions,
): { readonly ok: true; readonly of: ReadonlyMap<ZipEntry, string> } | PackFailure {
  const of = new Map<ZipEntry, string>();
  for (const entry of entries) {
    const admitted = gate.admit(entry);
    if (!admitted.ok) return admitted;
    if (admitted.path === undefined) continue;
    if (isBomb(entry.size, entry.listed.compressedSize, limits.ratio)) {
      const message = `the entry ${quoteName(entry.name)} unpacks to more than ${limits.ratio} times its size`;
      return refuse("limit-exceeded", message);
    }
    of.set(entry, admitted.path);
  }
  if (isBomb(gate.bytes, archiveBytes, limits.ratio)) {
    const message = `the archive unpacks to more than ${limits.ratio} times its size`;
    return refuse("limit-exceeded", message);
  }
  return { ok: true, of };
}

async function unpackEntry(
  placed: PlacedEntry,
  path: string | undefined,
  { writer, signal }: UnpackOptions,
): Promise<PackFailure | undefined> {
  const { entry } = placed;
  if (path === undefined) return undefined;
  if (entry.isDeflated && entry.size > AT_ONCE_BYTES) {
    const unopened = writer.open(path, entry.isExecutable);
    if (unopened !== undefined) return unopened;
    const problem = await inflateInParts(placed, (part) =>
      signal?.aborted === true ? canceled() : writer.append(part),
    );
    const unclosed = writer.close();
    return typeof problem === "string" ? invalidEntry(entry.name, problem) : (problem ?? unclosed);
  }
  const content = inflateEntry(placed);
  if (typeof content === "string") return invalidEntry(entry.name, content);
  return entry.isFolder ? undefined : writer.write(path, entry.isExecutable, content);
}
