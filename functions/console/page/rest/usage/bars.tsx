interface BarsProps {
  readonly caption: string;
  readonly counts: Readonly<Record<string, number>>;
}

const words = new Intl.NumberFormat("en");

/** A chart that is a list: the numbers are text, the bars beside them a decoration. */
export function Bars({ caption, counts }: BarsProps) {
  const most = Math.max(1, ...Object.values(counts));
  return (
    <dl class="bars" aria-label={caption}>
      {Object.entries(counts).map(([name, count]) => (
        <div key={name}>
          <dt>{name.replaceAll("_", " ")}</dt>
          <dd>
            <span class="bar" style={{ width: `${(100 * count) / most}%` }} aria-hidden="true" />
            {words.format(count)}
          </dd>
        </div>
      ))}
    </dl>
  );
}
