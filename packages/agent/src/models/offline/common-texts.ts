/**
 * Words by the share of fields of work in which people use them, in requests or descriptions of
 * skills. A catalog of a few skills cannot tell by itself that "file" says less than "invoice".
 */
const SHARES: readonly (readonly [share: number, words: string])[] = [
  [
    0.55,
    `
  use up write user before review code help run need api want have work new file check add
  build fix python`,
  ],
  [
    0.35,
    `
  set files wants app create test without project one design whenever like make pr trigger agent
  clean ai find out has through using report update json get against explain between open react
  first page time right current read generate tests change after data script asks function full
  git error across audit next keep plan changes even patterns context task building existing
  workflow ci says last users`,
  ],
  [
    0.22,
    `
  tool tasks runs model running single mentions tell checks text start writing quality best node
  state performance md claude anything show github off csv actually via tools working database
  feature think auth summarize issues pull request debug verify including commit output key
  structured security web component questions needs setup repo flow team now whether bug notes
  status list something dashboard pipeline say product line specific config give architecture sql
  refactor section system structure session implementation cross local plus three loop
  analysis codebase reference ready works pass already format testing non never step rules js end
  analyze style event real creating wrong improve store go docs today push email edit llm validate
  post see look live research draft per source projects triggers history covers production server
  token integration query mode type safe layout level cli debugging migration changed implement
  better install let branch take configure correct vs way auto reviewing breaking process coding
  package usage configuration missing actions updates back keeps findings unit path failing
  version content broken save document everything calls release log yaml used reads call pre uses
  few instead support know pdf html job service name generation reports search`,
  ],
];

const COUNT = 25;

/** Texts in which each common word is as frequent as in others' requests; to be indexed beside skills. */
export function commonTexts(): string[] {
  const texts: string[][] = Array.from({ length: COUNT }, () => []);
  let first = 0;
  for (const [share, words] of SHARES) {
    const times = Math.round(share * COUNT);
    for (const word of words.trim().split(/\s+/)) {
      for (let i = 0; i < times; i++) {
        texts[(first + Math.floor((i * COUNT) / times)) % COUNT]?.push(word);
      }
      first++;
    }
  }
  return texts.map((words) => words.join(". "));
}
