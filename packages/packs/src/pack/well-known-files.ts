import { createHash } from "node:crypto";
import { join } from "node:path";
import type { ArchiveEntry, CompressOptions } from "./archive-entry.ts";
import { canonicalText } from "./manifest.ts";
import type { OutputFile } from "./place-files.ts";
import type { PreparedSkill } from "./prepare-skill.ts";
import { writeTarGzip } from "./write-tar-gzip.ts";
import { writeZip } from "./write-zip.ts";

/** An opaque name: clients compare it and do not fetch it. */
const INDEX_SCHEMA = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";

const INDEX_FOLDER = ".well-known/agent-skills";
const OLDER_FOLDER = ".well-known/skills";

export interface WellKnownOptions extends CompressOptions {
  /** Absolute; the folder that is served as `/`. */
  readonly output: string;
  readonly archives: "tar.gz" | "zip";
  readonly olderIndex: boolean;
  readonly baseUrl: string | undefined;
}

export interface WellKnownFiles {
  /** The index last: while files are placed, the old one still points to what it did. */
  readonly outputs: readonly OutputFile[];
  readonly index: string;
  /** Address of each skill relative to the index, in the order of the skills. */
  readonly addresses: readonly string[];
}

/**
 * The files of a static host. Each lies below the hash of its bytes, so that a new index never
 * makes an old one, in a cache or a client, point to other content than it names.
 */
export async function wellKnownFiles(
  skills: readonly PreparedSkill[],
  options: WellKnownOptions,
): Promise<WellKnownFiles> {
  const folder = join(options.output, INDEX_FOLDER);
  const served = await Promise.all(skills.map((skill) => serve(skill, options)));
  const entries = served.map(({ address, digest, type }, i) => {
    const { name = "", description = "" } = skills[i]?.entry ?? {};
    return { name, type, description, url: addressOf(address, options.baseUrl), digest };
  });
  const index = join(folder, "index.json");
  const text = canonicalText({ $schema: INDEX_SCHEMA, skills: entries });
  const outputs = [
    ...served.map(({ address, content }) => ({ file: join(folder, address), content })),
    ...(options.olderIndex ? olderFiles(skills, options.output) : []),
    { file: index, content: Buffer.from(text) },
  ];
  return { outputs, index, addresses: served.map(({ address }) => address) };
}

async function serve({ entry, files }: PreparedSkill, options: WellKnownOptions) {
  const [only] = files;
  const isPlain = files.length === 1 && only !== undefined;
  const archive = async () =>
    options.archives === "zip"
      ? writeZip(files satisfies readonly ArchiveEntry[], options)
      : writeTarGzip(files, options);
  const content = isPlain ? only.content : await archive();
  const hash = createHash("sha256").update(content).digest("hex");
  const file = isPlain ? "SKILL.md" : `${entry.name}.${options.archives}`;
  return {
    type: isPlain ? "skill-md" : "archive",
    address: `${entry.name}/${hash.slice(0, 16)}/${file}`,
    digest: `sha256:${hash}`,
    content,
  };
}

function addressOf(address: string, baseUrl: string | undefined): string {
  const escaped = address.split("/").map(encodeURIComponent).join("/");
  if (baseUrl === undefined) return escaped;
  const base = baseUrl.endsWith("/") ? baseUrl : `${baseUrl}/`;
  return new URL(`${INDEX_FOLDER}/${escaped}`, base).href;
}

/** Version 0.1.0: no hashes, and every file at its own address. */
function olderFiles(skills: readonly PreparedSkill[], output: string): OutputFile[] {
  const folder = join(output, OLDER_FOLDER);
  const entries = skills.map(({ entry: { name, description, files } }) => {
    // Clients take the first for the skill's own file.
    const others = files.map(({ path }) => path).filter((path) => path !== "SKILL.md");
    return { name, description, files: ["SKILL.md", ...others] };
  });
  return [
    ...skills.flatMap(({ entry, files }) =>
      files.map(({ path, content }) => ({ file: join(folder, entry.name, path), content })),
    ),
    { file: join(folder, "index.json"), content: Buffer.from(canonicalText({ skills: entries })) },
  ];
}
