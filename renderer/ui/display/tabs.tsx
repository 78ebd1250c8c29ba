import type { ReactNode } from 'react';
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components/Tabs';

interface TabItem<K extends string> {
  readonly id: K;
  readonly label: string;
  /** A count or mark after the label. */
  readonly note?: string;
  /** An icon after the label and note. */
  readonly mark?: ReactNode;
  readonly content: ReactNode;
}

interface Props<K extends string> {
  readonly label: string;
  readonly items: readonly TabItem<K>[];
  readonly selected: K;
  readonly onSelect: (id: K) => void;
}

export const Tabs = <K extends string>({ label, items, selected, onSelect }: Props<K>) => (
  <AriaTabs className="tabs" selectedKey={selected} onSelectionChange={(key) => onSelect(key as K)}>
    <TabList className="tab-list" aria-label={label}>
      {items.map((item) => (
        <Tab key={item.id} id={item.id} className="tab">
          {item.label} {item.note && <span className="tab-note">{item.note}</span>}
          {item.mark && <span className="tab-mark">{item.mark}</span>}
        </Tab>
      ))}
    </TabList>
    {items.map((item) => (
      <TabPanel key={item.id} id={item.id} className="tab-panel">
        {item.content}
      </TabPanel>
    ))}
  </AriaTabs>
);
