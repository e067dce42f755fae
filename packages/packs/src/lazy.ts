import type { findCandidates as FindCandidates } from "./archive/find-candidates.ts";
import type { readArchive as ReadArchive } from "./archive/read-archive.ts";
import type { installSkills as InstallSkills } from "./install/install-skills.ts";
import type { outdatedSkills as OutdatedSkills } from "./install/outdated-skills.ts";
import type { restoreSkills as RestoreSkills } from "./install/restore-skills.ts";
import type { pruneRoot as PruneRoot, undoLast as UndoLast } from "./install/undo-last.ts";
import type { uninstallSkills as UninstallSkills } from "./install/uninstall-skills.ts";
import type { updateSkills as UpdateSkills } from "./install/update-skills.ts";
import type { packSkills as PackSkills } from "./pack/pack-skills.ts";
import type { ScanRule } from "./scan/scan-finding.ts";
import type { scanSkill as ScanSkill } from "./scan/scan-skill.ts";
import type { signPack as SignPack } from "./sign/sign-pack.ts";
import type { verifyPack as VerifyPack } from "./sign/verify-pack.ts";
import type { fetchPack as FetchPack } from "./sources/fetch-pack.ts";
import type { verifyInstalled as VerifyInstalled } from "./verify/verify-installed.ts";

// Functions whose modules are loaded by the first call, which keeps the import of this package short.

/**
 * The skills of an unpacked pack: at its root, or in folders up to six levels down. A folder with
 * a SKILL.md is a skill and is not searched further. Links are not followed.
 */
export const findCandidates: typeof FindCandidates = async (...args) =>
  (await import("./archive/find-candidates.ts")).findCandidates(...args);

/**
 * Unpacks a zip, tar.gz or tar, which its bytes tell and not its name. Plain files and folders come
 * out, or a failure and an empty destination. Modes are 0644 or 0755, less what the umask takes.
 */
export const readArchive: typeof ReadArchive = async (...args) =>
  (await import("./archive/read-archive.ts")).readArchive(...args);

/** Installs skills of a source: all that are wanted, or none. */
export const installSkills: typeof InstallSkills = async (...args) =>
  (await import("./install/install-skills.ts")).installSkills(...args);

/** Which skills have a newer version at their source. Nothing is installed or written. */
export const outdatedSkills: typeof OutdatedSkills = async (...args) =>
  (await import("./install/outdated-skills.ts")).outdatedSkills(...args);

/**
 * Brings what is missing back, exactly as it was locked. Local edits are never lost: without `force`
 * an edited skill stays as it is, which is reported.
 */
export const restoreSkills: typeof RestoreSkills = async (...args) =>
  (await import("./install/restore-skills.ts")).restoreSkills(...args);

/** Removes backups and copies that nothing needs any more. */
export const pruneRoot: typeof PruneRoot = async (...args) =>
  (await import("./install/undo-last.ts")).pruneRoot(...args);

/** Takes the last change back that is still in effect; with `redo` the last undo. */
export const undoLast: typeof UndoLast = async (...args) =>
  (await import("./install/undo-last.ts")).undoLast(...args);

/** Moves skills into the backup; `undo` brings them back. */
export const uninstallSkills: typeof UninstallSkills = async (...args) =>
  (await import("./install/uninstall-skills.ts")).uninstallSkills(...args);

/**
 * Brings skills to the newest version of their source. Local edits are merged line by line; where
 * that is not possible nothing at all is changed, and the failure shows both sides.
 */
export const updateSkills: typeof UpdateSkills = async (...args) =>
  (await import("./install/update-skills.ts")).updateSkills(...args);

/**
 * Makes one archive of skills, or the files of a static host. The same content gives the same bytes
 * in every folder, time zone and locale. Nothing is written unless every skill is fit to be packed.
 */
export const packSkills: typeof PackSkills = async (...args) =>
  (await import("./pack/pack-skills.ts")).packSkills(...args);

/**
 * Looks through the texts and scripts of a skill's folder. Changes nothing and runs nothing; links are
 * not followed. Throws when the folder cannot be read, and the reason of the signal when it is aborted.
 */
export const scanSkill: typeof ScanSkill = async (...args) =>
  (await import("./scan/scan-skill.ts")).scanSkill(...args);

/** Every rule of the scan, in the order of the documentation. */
export const scanRules = async (): Promise<readonly ScanRule[]> =>
  (await import("./scan/scan-rules.ts")).scanRules;

/** Signs the manifest of a pack, after its content was found to be that of the manifest. */
export const signPack: typeof SignPack = async (...args) =>
  (await import("./sign/sign-pack.ts")).signPack(...args);

/**
 * Whether a pack holds exactly what its manifest says, and who signed that. The content is checked
 * before the signature: a valid signature of a manifest says nothing about other files.
 */
export const verifyPack: typeof VerifyPack = async (...args) =>
  (await import("./sign/verify-pack.ts")).verifyPack(...args);

/** Gets a pack from wherever it is into the quarantine. After a failure the quarantine is empty. */
export const fetchPack: typeof FetchPack = async (...args) =>
  (await import("./sources/fetch-pack.ts")).fetchPack(...args);

/**
 * Compares what is installed with the lock, by hash, and tells of skills in the root that the lock
 * does not know. Nothing outside the base is read, whatever the lock and the folders say, but the
 * skill that a link of the lock leads to. `ok` only means that it was done.
 */
export const verifyInstalled: typeof VerifyInstalled = async (...args) =>
  (await import("./verify/verify-installed.ts")).verifyInstalled(...args);
