import { closeSync, existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Budget } from "@skillwright/agent";
import { directorySource, openSkills, type Skills } from "@skillwright/core";
import {
  canonicalJson,
  combinedSource,
  makeFolder,
  openConfinedSync,
  placeNew,
  readRegularFile,
  readUpTo,
  renamedSource,
  temporaryPath,
  walkDirectory,
  writeNew,
  checkOptions,
  type OptionKinds,
} from "@skillwright/core/internal";
import type { CaseFile, EvalCase, OutputCheck } from "../cases/eval-case.ts";
import type { Arm, EvalSetup } from "../results/eval-results.ts";
import { blobDigest, hexOf } from "./local-ports.ts";
import type { BlobStore } from "./ports.ts";
import type { ArmOptions } from "./run-evals.ts";
import type { EvalInputs } from "./trial-worker.ts";

export interface PublishEvalOptions extends Pick<EvalInputs, "timeoutMs" | "budget"> {
  readonly cases: readonly EvalCase[];
  readonly arms: readonly ArmOptions[];
  /** Where the results come from, as they will say. */
  readonly setup: EvalSetup;
}

interface Manifest {
  readonly schemaVersion: 1;
  readonly setup: EvalSetup;
  readonly timeoutMs?: number;
  readonly budget?: Partial<Budget>;
  /** Cases in the order of their ids, several in a blob. */
  readonly pages: readonly { readonly first: string; readonly digest: string }[];
}

interface PublishedCase {
  /** Its files and graders are blobs: `from` and `file` are digests. */
  readonly evalCase: EvalCase;
  /** Digest of the catalog in each arm. */
  readonly catalogs: Readonly<Partial<Record<Arm["name"], string>>>;
}

interface PublishedSkill {
  readonly name: string;
  readonly source: string;
  /** Its folder, which SKILL.md may have to be named after. */
  readonly folder: string;
  readonly tree: string;
}

interface PublishedFile {
  readonly path: string;
  readonly digest: string;
  readonly isExecutable: boolean;
}

const CASES_PER_PAGE = 100;
const MAX_TREE_BYTES = 100 * 1024 * 1024;
const MAX_TREE_ENTRIES = 10_000;
const SKIPPED = new Set([".git", "node_modules", "__pycache__"]);

const PUBLISH: OptionKinds<PublishEvalOptions> = {
  cases: "list",
  arms: "list",
  setup: "object",
  timeoutMs: "number",
  budget: "object",
};

/**
 * Puts everything that the trials of an eval need into a blob store: cases with their files and graders, and the skills
 * of every arm. Gives the digest by which workers find it. The same content has the same digest.
 */
export async function publishEval(options: PublishEvalOptions, blobs: BlobStore): Promise<string> {
  checkOptions("publishEval", options, PUBLISH, ["cases", "arms", "setup"]);
  const { cases, arms, setup, timeoutMs, budget } = options;
  const publisher = new Publisher(blobs);
  const sorted = cases.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const pages: Manifest["pages"][number][] = [];
  for (let at = 0; at < sorted.length; at += CASES_PER_PAGE) {
    const page: PublishedCase[] = [];
    for (const one of sorted.slice(at, at + CASES_PER_PAGE)) {
      page.push(await publisher.case(one, arms));
    }
    pages.push({ first: sorted[at]?.id ?? "", digest: await publisher.json(page) });
  }
  const manifest: Manifest = {
    schemaVersion: 1,
    setup,
    pages,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(budget && { budget }),
  };
  return publisher.json(manifest);
}

class Publisher {
  readonly #blobs: BlobStore;
  readonly #catalogs = new Map<Skills, Promise<string>>();
  readonly #trees = new Map<string, Promise<string>>();

  constructor(blobs: BlobStore) {
    this.#blobs = blobs;
  }

  json(value: unknown): Promise<string> {
    return this.#blobs.put(Buffer.from(canonicalJson(value)));
  }

  async case(evalCase: EvalCase, arms: readonly ArmOptions[]): Promise<PublishedCase> {
    const catalogs: Partial<Record<Arm["name"], string>> = {};
    for (const { arm, skillsFor, isFor } of arms) {
      if (isFor?.(evalCase) === false) continue;
      catalogs[arm.name] = await this.#catalog(await skillsFor(evalCase));
    }
    const { files, expected, origin } = evalCase;
    const output = expected.output.map((check) => this.#check(check, origin.file));
    const published = {
      ...evalCase,
      files: await Promise.all(files.map((file) => this.#file(file))),
      expected: { ...expected, output: await Promise.all(output) },
    };
    return { evalCase: published, catalogs };
  }

  async #file(file: CaseFile): Promise<CaseFile> {
    if (file.from === undefined) return file;
    return { ...file, from: await this.#blobs.put(readRegularFile(file.from)) };
  }

  async #check(check: OutputCheck, origin: string): Promise<OutputCheck> {
    if (check.type !== "script") return check;
    const file = resolve(dirname(origin), check.file);
    return { ...check, file: `${await this.#tree(dirname(file))}/${basename(file)}` };
  }

  #catalog(skills: Skills): Promise<string> {
    const known = this.#catalogs.get(skills) ?? this.#newCatalog(skills);
    this.#catalogs.set(skills, known);
    return known;
  }

  async #newCatalog(skills: Skills): Promise<string> {
    const usable = skills.all.filter(({ trusted, enabled }) => trusted && enabled);
    const published: PublishedSkill[] = [];
    for (const { name, source, path } of usable) {
      if (path.startsWith("inline:")) {
        throw new TypeError(`the skill ${name} is in no folder, so it cannot be published`);
      }
      // Cases are not part of the skill that they test.
      const tree = await this.#tree(path, /^evals?\//);
      published.push({ name, source, folder: basename(path), tree });
    }
    return this.json(published);
  }

  #tree(folder: string, skip?: RegExp): Promise<string> {
    const key = `${folder}\n${skip?.source ?? ""}`;
    const known = this.#trees.get(key) ?? this.#newTree(folder, skip);
    this.#trees.set(key, known);
    return known;
  }

  /** Links are left out: they could lead to what a worker must not see. */
  async #newTree(folder: string, skip: RegExp | undefined): Promise<string> {
    const limits = { maxEntries: MAX_TREE_ENTRIES, skip: SKIPPED };
    const { entries, truncated, unreadable } = await walkDirectory(folder, limits);
    const [closed] = unreadable;
    if (closed !== undefined) throw new TypeError(`the folder ${closed} cannot be read`);
    const files = entries.filter(({ kind, path }) => kind === "file" && skip?.test(path) !== true);
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    if (truncated || bytes > MAX_TREE_BYTES) {
      throw new TypeError(`the folder ${folder} is too large to be published`);
    }
    const published: PublishedFile[] = [];
    for (const { path, mode } of files) {
      const digest = await this.#blobs.put(readBelow(folder, path));
      published.push({ path, digest, isExecutable: (mode & 0o100) !== 0 });
    }
    return this.json(published);
  }
}

function readBelow(folder: string, path: string): Buffer {
  const opened = openConfinedSync(folder, path.split("/"));
  if (!opened.ok) throw new TypeError(`${join(folder, path)} cannot be read: ${opened.reason}`);
  try {
    return readUpTo(opened.descriptor, MAX_TREE_BYTES, opened.stats.size);
  } finally {
    closeSync(opened.descriptor);
  }
}

export interface OpenEvalOptions {
  readonly blobs: BlobStore;
  /** Keeps skills, files and graders as files, by their digests. Several processes may share it. */
  readonly folder: string;
}

const OPEN: OptionKinds<OpenEvalOptions> = { blobs: "object", folder: "string" };

/**
 * The inputs of a published eval, for a worker. Every blob is checked against its digest. Rejects when one is missing or
 * damaged: such a trial must not be run.
 */
export async function openPublishedEval(
  evalDigest: string,
  options: OpenEvalOptions,
): Promise<EvalInputs & { readonly setup: EvalSetup }> {
  checkOptions("openPublishedEval", options, OPEN, ["blobs", "folder"]);
  const store = new InputStore(options);
  const manifest = await store.json<Manifest>(evalDigest);
  if (manifest.schemaVersion !== 1) {
    throw new TypeError(`the eval ${evalDigest} was published by another version of skillwright`);
  }
  const { setup, timeoutMs, budget, pages } = manifest;
  const catalogs = new Map<string, Promise<Skills>>();
  const entryOf = async (id: string) => {
    const page = pages.findLast(({ first }) => first <= id);
    const entries = page && (await store.page(page.digest));
    return entries?.find(({ evalCase }) => evalCase.id === id);
  };
  return {
    setup,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(budget && { budget }),
    async caseOf(id) {
      const entry = await entryOf(id);
      return entry && store.case(entry.evalCase);
    },
    async skillsFor(arm, { id }) {
      const digest = (await entryOf(id))?.catalogs[arm];
      if (digest === undefined) throw new TypeError(`the case ${id} is not run in the arm ${arm}`);
      const known = catalogs.get(digest) ?? store.catalog(digest);
      catalogs.set(digest, known);
      return known;
    },
  };
}

const PAGES_IN_MEMORY = 20;

class InputStore {
  readonly #blobs: BlobStore;
  readonly #folder: string;
  readonly #pages = new Map<string, Promise<readonly PublishedCase[]>>();

  constructor({ blobs, folder }: OpenEvalOptions) {
    this.#blobs = blobs;
    this.#folder = folder;
  }

  async json<Value>(digest: string): Promise<Value> {
    return JSON.parse(Buffer.from(await this.#bytes(digest)).toString("utf8")) as Value;
  }

  /** A worker gets its jobs in the order of the plan, so that a few pages are enough. */
  page(digest: string): Promise<readonly PublishedCase[]> {
    const page = this.#pages.get(digest) ?? this.json<readonly PublishedCase[]>(digest);
    this.#pages.delete(digest);
    this.#pages.set(digest, page);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > PAGES_IN_MEMORY && oldest !== undefined) this.#pages.delete(oldest);
    return page;
  }

  async case(evalCase: EvalCase): Promise<EvalCase> {
    const { files, expected } = evalCase;
    const output = expected.output.map(async (check): Promise<OutputCheck> => {
      if (check.type !== "script") return check;
      const [tree = "", name = ""] = check.file.split("/", 2);
      return { ...check, file: join(await this.#tree(tree, "graders"), name) };
    });
    const own = files.map(async (file): Promise<CaseFile> => {
      return file.from === undefined ? file : { ...file, from: await this.#file(file.from) };
    });
    return {
      ...evalCase,
      files: await Promise.all(own),
      expected: { ...expected, output: await Promise.all(output) },
    };
  }

  async catalog(digest: string): Promise<Skills> {
    const published = await this.json<readonly PublishedSkill[]>(digest);
    const sources = [];
    for (const { name, source, folder, tree } of published) {
      const root = dirname(await this.#tree(tree, folder));
      sources.push(renamedSource(directorySource(root, { label: source }), () => name));
    }
    return openSkills({ roots: [combinedSource(sources)], examples: false });
  }

  async #bytes(digest: string): Promise<Uint8Array> {
    const bytes = await this.#blobs.get(digest);
    if (bytes === undefined) throw new TypeError(`the blob ${digest} is missing`);
    if (blobDigest(bytes) !== digest) throw new TypeError(`the blob ${digest} is damaged`);
    return bytes;
  }

  async #file(digest: string): Promise<string> {
    const file = join(this.#folder, "files", hexOf(digest));
    if (!existsSync(file)) placeNew(file, await this.#bytes(digest));
    return file;
  }

  /** The folder of that name with the files of the tree; it appears whole, and is never changed. */
  async #tree(digest: string, name: string): Promise<string> {
    // Short, since the paths of skills are part of what a model reads.
    const id = hexOf(blobDigest(Buffer.from(`${hexOf(digest)} ${name}`))).slice(0, 32);
    const place = join(this.#folder, "trees", id);
    const folder = join(place, safeName(name));
    if (existsSync(folder)) return folder;
    const temporary = temporaryPath(place);
    try {
      for (const { path, digest: content, isExecutable } of await this.json<PublishedFile[]>(
        digest,
      )) {
        const target = join(temporary, safeName(name), ...path.split("/").map(safeName));
        makeFolder(dirname(target));
        writeNew(target, await this.#bytes(content), { mode: isExecutable ? 0o700 : 0o600 });
      }
      makeFolder(join(temporary, safeName(name)));
      await rename(temporary, place);
    } catch (error) {
      await rm(temporary, { recursive: true, force: true });
      // Another process was faster with the same content.
      if (!existsSync(folder)) throw error;
    }
    return folder;
  }
}

/** A name that leads nowhere else. */
function safeName(name: string): string {
  // oxlint-disable-next-line no-control-regex
  if (name === "" || name === "." || name === ".." || /[/\\\u0000]/.test(name)) {
    throw new TypeError(`${JSON.stringify(name)} is not the name of a file`);
  }
  return name;
}
