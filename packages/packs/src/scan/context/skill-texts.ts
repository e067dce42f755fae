import type { NetworkSend, ScannedSkill, SecretRead } from "./scan-line.ts";
import { type SkillProfile, profileOf } from "./skill-profile.ts";
import type { TextFile } from "./text-file.ts";

/** Facts are joined with each other; more of one kind in one file would add work and say nothing new. */
const MAX_FACTS = 50;

export class SkillTexts implements ScannedSkill {
  readonly files: TextFile[] = [];
  readonly secrets: SecretRead[] = [];
  readonly sends: NetworkSend[] = [];
  readonly #counts = new Map<string, number>();
  #profile: SkillProfile | undefined;

  get profile(): SkillProfile {
    return (this.#profile ??= profileOf(
      this.files.find(({ path }) => path === "SKILL.md")?.text ?? "",
    ));
  }

  noteSecret(secret: SecretRead): void {
    if (this.#isNew(`${secret.what}\n${secret.line.file.path}`)) this.secrets.push(secret);
  }

  noteSend(send: NetworkSend): void {
    const kind = send.isCapture ? "capture" : send.hosts.length > 0 ? "known host" : "unknown host";
    if (this.#isNew(`${kind}\n${send.line.file.path}`)) this.sends.push(send);
  }

  #isNew(kind: string): boolean {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    return count <= MAX_FACTS;
  }
}
