from shared.core.render import Frame
def render(turn):
    return Frame(bounds=(0,0,1,1), shapes=())
