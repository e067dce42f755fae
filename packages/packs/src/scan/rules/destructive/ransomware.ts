import type { PlacedSuspicion, ScanCheck } from "../../scan-check.ts";

const ENCRYPTS =
  /fernet\(|\.encrypt\(|aes\.new\(|createcipheriv\(|openssl\s+enc\s+-aes|gpg\s+(?:-c|--symmetric)|cipher\.update\(/;
const WALKS =
  /os\.walk\(|rglob\(|glob\([^\n]{0,40}recursive|readdirsync\(|find\s+(?:~|[$]home|\/)|expanduser\(\s*["']~|path\.home\(\)|homedir\(\)/;
const REPLACES =
  /os\.(?:remove|unlink|rename|replace)\(|unlinksync\(|\.unlink\(|\brm\s+-f|shred\b|renamesync\(|open\([^\n]{0,60}["']wb["']\)/;
const DEMANDS =
  /\b(?:your files (?:have been|are|were) (?:encrypted|locked)|pay\b[^\n]{0,60}\b(?:bitcoin|btc|xmr|monero|ransom)|ransom|decrypt(?:ion)? key[^\n]{0,60}(?:pay|send|contact)|\.locked\b|\.encrypted\b|\.crypt\b|readme_(?:decrypt|restore|unlock)|how_to_(?:decrypt|recover))/;

export const ransomware: ScanCheck = {
  id: "ransomware",
  severity: "critical",
  category: "destructive",
  summary: "A script encrypts the files of a person and removes the originals.",
  explanation:
    "Walking through a home folder, encrypting what is found, deleting or renaming it and leaving a note is extortion. A skill that encrypts works on the files it was given and keeps them.",
  *conclude(skill): Iterable<PlacedSuspicion> {
    for (const file of skill.files) {
      if (file.kind !== "script") continue;
      const text = file.text.toLowerCase();
      const at = text.search(ENCRYPTS);
      if (at === -1 || !WALKS.test(text) || !REPLACES.test(text)) continue;
      const demands = DEMANDS.test(text);
      if (demands)
        yield {
          line: file.lineAt(at),
          message: "It encrypts files in place, and leaves a demand or a locked name",
        };
    }
  },
};
