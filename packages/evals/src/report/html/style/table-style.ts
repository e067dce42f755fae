/** Tables and small charts. */
export const TABLE_STYLE = `
.scroll { overflow-x: auto; margin: 0 0 1rem; padding-bottom: 0.25rem; }
table.data { border-collapse: collapse; font-size: 0.875rem; min-width: 36rem; }
table.data th, table.data td { text-align: left; padding: 0.4rem 1.25rem 0.4rem 0; border-bottom: 1px solid var(--line); font-weight: 400; vertical-align: middle; white-space: nowrap; }
table.data thead th { color: var(--soft); font-size: 0.8125rem; vertical-align: bottom; }
table.data tbody th { font-weight: 500; max-width: 18rem; overflow: hidden; text-overflow: ellipsis; }
table.data td.quiet { white-space: normal; min-width: 8rem; }
table.data .number, .confusion .number { text-align: right; }
.strong { font-weight: 600; }
.numbers { font-size: 0.8125rem; color: var(--soft); }
table.scores th[scope="colgroup"] { border-bottom: 0; color: var(--ink); font-weight: 500; padding-bottom: 0; }
table.scores .interval { width: 5.5rem; }
table.scores tbody tr:first-child > * { font-weight: 600; border-bottom-width: 2px; }
table.scores td:nth-child(3n + 1) { padding-right: 2rem; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: 1rem; margin-bottom: 1rem; }
.tile { display: block; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--card); padding: 0.75rem 1rem; }
.tile caption { display: block; text-align: left; color: var(--soft); font-size: 0.8125rem; }
.tile tbody, .tile tr { display: flex; flex-wrap: wrap; align-items: center; gap: 0.15rem 0.9rem; }
.tile td { padding: 0; } .tile td:first-child { font-size: 1.375rem; font-weight: 600; text-align: left; }
.tile td:last-child { color: var(--soft); font-size: 0.8125rem; } .tile td:last-child::before { content: "n = "; }
.interval { vertical-align: middle; margin-right: 0.4rem; }
.interval .axis, .histogram .axis { stroke: var(--line); stroke-width: 1.5; }
.interval .reference { stroke: var(--soft); stroke-width: 1; stroke-dasharray: 2 2; }
.interval .range { stroke: var(--accent); stroke-width: 5; stroke-linecap: round; opacity: 0.35; }
.interval .value { fill: var(--accent); }
.measure { display: flex; flex-wrap: wrap; align-items: center; gap: 0.35rem; }
.confusion { border-collapse: separate; border-spacing: 2px; font-size: 0.8125rem; }
.confusion th { font-weight: 500; text-align: right; padding: 0.2rem 0.6rem 0.2rem 0; white-space: nowrap; max-width: 14rem; overflow: hidden; text-overflow: ellipsis; }
.confusion thead th { vertical-align: bottom; text-align: left; padding: 0 0 0.35rem; max-width: none; }
.confusion thead th span { writing-mode: vertical-rl; transform: rotate(180deg); max-height: 10rem; overflow: hidden; text-overflow: ellipsis; }
.confusion thead td { vertical-align: bottom; text-align: right; padding: 0 0.6rem 0.35rem 0; }
.confusion td.right, .confusion td.wrong { min-width: 2.4rem; height: 2.1rem; text-align: center; border-radius: 0.3rem; }
.confusion .level-0 { color: var(--soft); background: var(--tint); }
.confusion .right { box-shadow: inset 0 0 0 1.5px rgb(var(--right) / 0.65); font-weight: 600; }
.confusion .wrong:not(.level-0) { font-weight: 600; }
.right.level-1 { background: rgb(var(--right) / 0.08); } .right.level-2 { background: rgb(var(--right) / 0.14); } .right.level-3 { background: rgb(var(--right) / 0.2); } .right.level-4 { background: rgb(var(--right) / 0.26); } .right.level-5 { background: rgb(var(--right) / 0.32); }
.wrong.level-1 { background: rgb(var(--wrong) / 0.22); } .wrong.level-2 { background: rgb(var(--wrong) / 0.30); } .wrong.level-3 { background: rgb(var(--wrong) / 0.38); } .wrong.level-4 { background: rgb(var(--wrong) / 0.46); } .wrong.level-5 { background: rgb(var(--wrong) / 0.54); }
.mistakes > li { margin-bottom: 0.75rem; } .mistakes ul { margin: 0.15rem 0 0; font-size: 0.875rem; }
.flips > li { display: grid; grid-template-columns: 1rem minmax(0, 1fr) auto; gap: 0.75rem; padding: 0.3rem 0; border-bottom: 1px solid var(--line); font-size: 0.875rem; }
.flips .checks { display: block; color: var(--soft); font-size: 0.8125rem; }
.inline { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; }
.more { color: var(--soft); list-style: none; }
.findings li { padding: 0.3rem 0; border-bottom: 1px solid var(--line); font-size: 0.875rem; }
:is(#assertions, #comparison) summary { font-weight: 600; padding: 0.35rem 0; }
.tag { font-size: 0.75rem; color: var(--soft); border: 1px solid var(--line); border-radius: 1rem; padding: 0.02rem 0.5rem; white-space: nowrap; }
.costs { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: 0.5rem 2.5rem; }
figure { margin: 0 0 1rem; } figcaption { font-size: 0.8125rem; }
figcaption b { font-weight: 500; display: block; }
.histogram { display: block; width: 100%; height: auto; max-width: 26rem; }
.histogram .bin { fill: var(--accent); opacity: 0.45; }
.histogram .p50 { stroke: var(--ink); stroke-width: 1.5; } .histogram .p95 { stroke: var(--ink); stroke-width: 1.5; stroke-dasharray: 2.5 2.5; }
`;
