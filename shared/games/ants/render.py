"""stub"""
def render(turn):
    raise NotImplementedError
