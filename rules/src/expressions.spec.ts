import { describe, expect, it } from '@jest/globals';
import { completeExpression, parseExpression } from './expressions.ts';

const term = (metric: string, aggregate: string, operator: string, value: number, text: string) => ({
  kind: 'metric',
  metric,
  aggregate,
  operator,
  value,
  text,
});

describe('an expression over metrics', () => {
  it.each([
    ['cpu.avg>80', term('cpu', 'avg', '>', 80, 'cpu.avg>80')],
    ['network_rx.max >= 2MB', term('network_rx', 'max', '>=', 2e6, 'network_rx.max>=2MB')],
    ['temperature.min<-10', term('temperature', 'min', '<', -10, 'temperature.min<-10')],
    ['disk.change<-5', term('disk', 'change', '<', -5, 'disk.change<-5')],
    ['network_tx.change>-1KB', term('network_tx', 'change', '>', -1_000, 'network_tx.change>-1KB')],
  ])('%s is read', (text, filter) => {
    expect(parseExpression(text)).toEqual({ ok: true, filter });
  });

  it('joins, groups and negates its terms as a filter does', () => {
    expect(parseExpression('cpu.avg>80 not (load.max>4 or round_trip.avg>300)')).toMatchObject({
      filter: {
        kind: 'and',
        terms: [{ metric: 'cpu' }, { kind: 'not', term: { kind: 'or', terms: [{ metric: 'load' }, {}] } }],
      },
    });
  });

  it.each([
    ['cpu>80', 'Expected a metric and how it is summed up, such as cpu.avg.', [0, 3]],
    ['cpu.avg', 'Expected a comparison, such as cpu.avg>80.', [0, 7]],
    ['cpu.avg.x>1', 'Expected a metric and how it is summed up, such as cpu.avg.', [0, 9]],
    ['constructor.avg>1', 'Expected a metric and how it is summed up, such as cpu.avg.', [0, 15]],
    ['cpu.avg=80', 'cpu.avg takes < <= > >=, not =.', [0, 7]],
    ['load.max>1 cpu.avg>800', 'cpu.avg: expected a number from 0 to 100, not “800”.', [19, 22]],
    ['cpu.avg>-1', 'cpu.avg: expected a number from 0 to 100, not “-1”.', [8, 10]],
    ['disk.change>--5', 'disk.change: expected a number from 0 to 100, not “--5”.', [12, 15]],
    ['network_rx.avg>fast', 'network_rx.avg: expected a size such as 512MB or 4GiB, not “fast”.', [15, 19]],
    ['(cpu.avg>80', 'This parenthesis is not closed.', [0, 1]],
    ['x'.repeat(1_001), 'An expression has at most 1000 characters; this one has 1001.', [1_000, 1_001]],
  ])('%s is refused, with the place of the error', (text, message, [from, to]) => {
    expect(parseExpression(text)).toEqual({ ok: false, errors: [{ message, from, to }] });
  });

  it('is completed with metrics and with how they are summed up', () => {
    expect(completeExpression('cpu.avg>80 temp', 15).map(({ text }) => text)).toEqual([
      'temperature.avg',
      'temperature.max',
      'temperature.min',
      'temperature.change',
    ]);
    expect(completeExpression('cpu.avg>', 8)).toEqual([]);
    expect(completeExpression('', 0)[0]).toEqual({
      text: 'cpu.avg',
      hint: 'Average: CPU usage in percent',
      from: 0,
      to: 0,
    });
  });
});
