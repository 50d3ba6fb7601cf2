"""A small double of kaggle-environments: an environment `race` of two players and three steps.

Each step adds both players' numbers to their sums; a number above 9 is INVALID. The higher sum has
the reward 1, the lower -1.
"""

import random

from kaggle_environments.errors import DeadlineExceeded, InvalidArgument

environments = {"race": None}
FAILED = ("ERROR", "INVALID", "TIMEOUT")


class Struct(dict):
    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__


class Environment:
    name = "race"
    agents = {"three": lambda observation: 3}
    specification = Struct(title="Race", agents=[2], configuration={"seed": {}, "actTimeout": {}})

    def __init__(self, configuration=None, info=None, steps=()):
        self.configuration = Struct(
            {"actTimeout": 1, "seed": 0, "bonus": 0} | (configuration or {})
        )
        self.info, self.steps = info or {}, list(steps)
        self.reset(2)

    def reset(self, n):
        self.state = [
            Struct(
                status="ACTIVE",
                reward=0,
                action=0,
                observation=Struct(remainingOverageTime=0.5, step=0, sum=0, mark=mark),
            )
            for mark in range(n)
        ]

    @property
    def done(self):
        return all(agent.status != "ACTIVE" for agent in self.state)

    def _Environment__get_shared_state(self, player):
        return self.state[player]

    def step(self, actions, logs):
        # A new state, as the referee keeps the ones before.
        self.state = [Struct(agent, observation=Struct(agent.observation)) for agent in self.state]
        for agent, action, log in zip(self.state, actions, logs):
            over_s = max(0.0, log.get("duration", 0.0) - self.configuration.actTimeout)
            agent.observation.remainingOverageTime -= over_s
            agent.observation |= {"step": agent.observation.step + 1, "luck": random.random()}
            agent.action = action if isinstance(action, int) else None
            late, dead = isinstance(action, DeadlineExceeded), isinstance(action, Exception)
            if late or dead or action > 9:
                agent.status = "TIMEOUT" if late else "ERROR" if dead else "INVALID"
                agent.reward = None
            else:
                agent.observation.sum += action
        sums = [agent.observation.sum for agent in self.state]
        over = any(agent.status in FAILED for agent in self.state)
        for agent in self.state:
            if agent.status == "ACTIVE" and (over or agent.observation.step == 3):
                agent.status = "DONE"
                agent.reward = 2 * (agent.observation.sum == max(sums)) - 1

    def render(self, **options):
        return f"<p>{len(self.steps)} steps of {self.info['TeamNames']}"


def make(name, **given):
    if name not in environments:
        raise InvalidArgument("Unknown Environment Specification")
    return Environment(**given)
