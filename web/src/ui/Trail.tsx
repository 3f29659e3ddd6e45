import { Anchor, Breadcrumbs, Text } from '@mantine/core';
import { Link } from 'react-router';

/** The breadcrumb of a page, without the page itself, whose name is the heading. */
export function Trail({ steps }: { steps: { label: string; to?: string }[] }) {
  return (
    <nav aria-label="Breadcrumb">
      <Breadcrumbs separator="/" separatorMargin={6}>
        {steps.map((step) =>
          step.to ? (
            <Anchor key={step.label} component={Link} to={step.to} size="xs" c="dimmed">
              {step.label}
            </Anchor>
          ) : (
            <Text key={step.label} size="xs" c="dimmed">
              {step.label}
            </Text>
          ),
        )}
      </Breadcrumbs>
    </nav>
  );
}
