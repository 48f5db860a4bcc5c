import { expect, it } from 'vitest';
import { inUploadOrder, stages } from '../../generator/upload-order.ts';

const orderOf = (isNew: (stage: string) => boolean) =>
  inUploadOrder([...stages].reverse(), (stage) => stage, isNew).flat();

it('everything is uploaded stage by stage', () => {
  expect(orderOf(() => true)).toEqual(stages);
  expect(orderOf(() => false)).toEqual(stages);
});

it('what is new comes before what changes, and headers before both', () => {
  const order = orderOf((stage) => ['lists', 'cards'].includes(stage));
  expect(order.slice(0, 6)).toEqual(['headers', 'lists', 'cards', 'other-hosts', 'posts', 'feeds']);
});

it('the items of a stage stay in order, in one group', () => {
  const groups = inUploadOrder(['b', 'a', 'c'], () => 'posts');
  expect(groups.filter((group) => group.length > 0)).toEqual([['b', 'a', 'c']]);
});
